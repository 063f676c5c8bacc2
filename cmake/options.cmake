# How our own code is compiled: warnings, sanitizers, coverage. Nothing of it reaches a program that links an installed Actio.
# Warnings are errors for the compilers we keep warning-free; a newer one may find something new and still has to build.
set(werror OFF)
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15))
  set(werror ON)
endif()
option(ACTIO_WERROR "Warnings are errors" ${werror})

add_library(actio_options INTERFACE)
target_compile_options(actio_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${ACTIO_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Its memory is not tidied up below 500 MB, which takes an eighth of its time off and adds a quarter to what it uses.
  target_compile_options(actio_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=500000>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of g++ 12 inside its own headers: string concatenation (PR 105651), AVX-512 intrinsics (PR 105593).
  target_compile_options(actio_options INTERFACE -Wno-restrict $<$<BOOL:${ACTIO_NATIVE}>:-Wno-maybe-uninitialized>
    $<$<BOOL:${ACTIO_NATIVE}>:-Wno-uninitialized>)
endif()
if(ACTIO_SANITIZE)
  # Reading or writing through a null pointer stops the program by itself. To look for references to nothing that are never read
  # would take another fifth of the compiler's time.
  target_compile_options(actio_options INTERFACE -fsanitize=${ACTIO_SANITIZE} -fno-sanitize=null -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(actio_options INTERFACE -fsanitize=${ACTIO_SANITIZE})
endif()
if(ACTIO_COVERAGE)
  target_compile_options(actio_options INTERFACE --coverage)
  target_link_options(actio_options INTERFACE --coverage)
endif()
