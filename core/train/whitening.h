// What is done to the rows once they are trained.
//
// Trained source rows share a few strong directions, which say that a text is of this table, not
// which one it is; they drown what tells its texts apart. Whitening evens out how much the
// directions vary over the words as they occur (Yokoi, Bao, Kurita, Shimodaira, "Zipfian
// whitening", NeurIPS 2024), here in part and without moving the mean:
//
//   S = sum over the words of f_w v_w v_w'          v <- v S^(-w/2),   u <- u S^(w/2)
//
// over the 10,000 most frequent words, which are nearly all of the text; with w = config.whitening,
// 0 nothing, 1 all, and a factor so that the rows of these words keep the mean of their squared
// lengths, each row counting f_w. Every product u . v, and so the loss, stays as it was (until rows
// are shortened, and rare_words.h turns some). Above dimension 1,024 it is left out, for its time.
//
// Then rows are shortened, as in a text of few words the longest drowns the others. A row longer
// than initial_norm n (1 where that is 0) gets the geometric mean of its length and n:
//
//   v <- v sqrt(n / |v|)      where |v| > n
//
// which LengthenRows takes back, so that a model can be trained on.
#pragma once

#include <cstdint>

#include "core/model/model.h"

namespace s2v {

// The time for the eigenvectors grows with the cube of the dimension; this takes some seconds.
inline constexpr uint32_t kLargestWhitened = 1024;

// None does anything where config.whitening is 0. Whiten evens out and shortens.
void Whiten(Model* model);
void ShortenRows(Model* model);
void LengthenRows(Model* model);

}  // namespace s2v
