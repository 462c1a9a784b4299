// Square matrices in double precision, of the dimension of embeddings: what is done to rows once
// they are trained is found in them (whitening.h, halves.h).
//
//   Square s = ...;                                          // symmetric
//   const std::vector<double> values = Eigen(&s, n);         // s has its eigenvectors now
//   const Square power = Product(Transposed(s, n), Powers(values, -0.5), s, n);     // of what s was
//   MultiplyRows(Floats(power, n), &rows);
//
// Thread rule: pure.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/matrix.h"

namespace s2v {

using Square = std::vector<double>;  // [n, n]

// The eigenvalues, without their signs, of a symmetric matrix, whose rows become its eigenvectors:
// of length 1, zeros for the eigenvalue 0. REQUIRES: no two eigenvalues differ in their signs
// alone.
std::vector<double> Eigen(Square* s, size_t n);

Square Transposed(const Square& a, size_t n);
// a diag(values) b
Square Product(const Square& a, const std::vector<double>& values, const Square& b, size_t n);
// Each value to this power.
std::vector<double> Powers(std::vector<double> values, double power);
Matrix Floats(const Square& a, size_t n);

// Each row v becomes v by', whose numbers are the products of v and the rows of by.
void MultiplyRows(const Matrix& by, Matrix* rows);

}  // namespace s2v
