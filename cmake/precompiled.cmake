# Headers of others, parsed once: actio_precompile(target PRIVATE <header> ...), or (target REUSE_FROM another). Not with a compiler
# cache, which keeps what they would save; so a build with one finds the include that a file forgot.
function(actio_precompile target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()
