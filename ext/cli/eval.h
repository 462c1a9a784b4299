// What the four tasks of `s2v eval` share: their options, as the command line gave them.
//
//   s2v eval similarity DB FILE.tsv...           eval_similarity.cc
//   s2v eval transfer DB FILE.tsv...             eval_transfer.cc
//   s2v eval self DB --table T --column C        eval_self.cc
//   s2v eval search DB --table T --column C --queries FILE --judgements FILE   eval_search.cc
//
// Results go to standard output as an aligned table, or as JSON lines; the database is only read.
#ifndef S2V_EXT_CLI_EVAL_H_
#define S2V_EXT_CLI_EVAL_H_

#include <optional>
#include <string>
#include <vector>

#include "ext/cli/encoders.h"
#include "ext/cli/eval_files.h"

namespace s2v {

struct EvalOptions {
  std::string path, model, encoders, test, sample, queries, judgements, id, index;
  CorpusOrigin table;
  std::vector<std::string> files, commands;
  bool raw = false, pairs = false, json = false, quiet = false;
  ParameterOptions parameters;
};

void EvalSimilarity(const EvalOptions& options);
void EvalTransfer(const EvalOptions& options);
void EvalSelf(const EvalOptions& options);
void EvalSearch(const EvalOptions& options);

// eval_command.cc. --table's parts. Throws UsageError.
void CheckTableOptions(const EvalOptions& options);
// Parameters other than these make no sense where nothing is trained.
void RefuseParameters(const EvalOptions& options, std::initializer_list<std::string_view> allowed);
uint64_t SampleOption(const EvalOptions& options);
// --encoders, --encoder-command and --raw, checked against the other options. Throws UsageError.
std::vector<EncoderSpec> EncoderOptions(const EvalOptions& options);
// Whether any of them is made for the evaluation, with the parameters, which are checked. Throws
// UsageError and InvalidArgument.
bool CheckMade(const EvalOptions& options, const std::vector<EncoderSpec>& specs);

// The tables that the encoders come from, each looked through once. The index of each encoder's.
// What a foreign one comes from is not known.
std::vector<Overlap> FindOverlaps(sqlite3* db, const std::vector<EncoderSpec>& specs,
                                  EncoderFactory* factory, std::span<const EvalFile> files,
                                  StatusLine* status, std::vector<size_t>* of_encoder);

}  // namespace s2v

#endif  // S2V_EXT_CLI_EVAL_H_
