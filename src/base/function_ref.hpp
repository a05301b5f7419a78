// A reference to something that can be called: what a function takes whose body is no template, such as the parallel
// loops of parallel.hpp.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace sortie {

template <class Signature>
class FunctionRef;

/// Does not own the function, which must live while this is called.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Function>
  requires(!std::is_same_v<Function, FunctionRef>)
      FunctionRef(const Function& function)  // NOLINT(google-explicit-constructor): stands for the function
      : function_(std::addressof(function)), call_([](const void* callee, Arguments... arguments) -> Result {
          return (*static_cast<const Function*>(callee))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(function_, std::forward<Arguments>(arguments)...); }

 private:
  const void* function_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace sortie
