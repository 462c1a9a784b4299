// How long something takes. Here and not in core, which knows no clock.
#ifndef S2V_SQL_CLOCK_H_
#define S2V_SQL_CLOCK_H_

#include <chrono>

namespace s2v {

// Since some moment in the past, the same for the whole process; never falls.
inline double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace s2v

#endif  // S2V_SQL_CLOCK_H_
