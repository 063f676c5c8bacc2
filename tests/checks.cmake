# The checks of the repository, as tests: ./actio test -L check runs these alone.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(tools ${PROJECT_SOURCE_DIR}/tools)
set(scratch ${PROJECT_BINARY_DIR}/scratch)
set(prefix ${scratch}/prefix)

add_test(NAME check.formatting COMMAND ${tools}/check_format)
add_test(NAME check.layers COMMAND ${Python3_EXECUTABLE} ${tools}/check_layers.py ${PROJECT_SOURCE_DIR})
add_test(NAME check.budget COMMAND ${Python3_EXECUTABLE} ${tools}/check_budget.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
add_test(NAME check.families COMMAND ${Python3_EXECUTABLE} ${tools}/check_families.py ${PROJECT_SOURCE_DIR} ${scratch}-families)
set_tests_properties(check.formatting PROPERTIES SKIP_RETURN_CODE 77)

# An install tree, and programs that link it.
add_test(NAME check.install COMMAND sh -c "rm -rf '${scratch}' && cmake --install '${PROJECT_BINARY_DIR}' --prefix '${prefix}'")
add_test(NAME check.installed COMMAND ${tools}/check_installed ${prefix})
add_test(NAME check.consumer COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${scratch}/consumer
  --build-generator ${CMAKE_GENERATOR} --build-options -DCMAKE_PREFIX_PATH=${prefix}
  -DCONSUMER_PETSC=$<TARGET_EXISTS:actio_petsc> --test-command consumer)
add_test(NAME check.pkg_config COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumer/pkg_config ${prefix} ${scratch}/pkg_config
  ${CMAKE_CURRENT_SOURCE_DIR}/consumer)
set_tests_properties(check.pkg_config PROPERTIES SKIP_RETURN_CODE 77)
# With the Python package the Python of the pages is run too, and the manual is built as a site.
set(python ${Python3_EXECUTABLE})
if(ACTIO_PYTHON)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  set(python ${Python_EXECUTABLE})
  add_test(NAME check.docs COMMAND ${python} ${tools}/site/build.py ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/docs
    $<TARGET_FILE:actio_cli>)
  set_tests_properties(check.docs PROPERTIES SKIP_RETURN_CODE 77 FIXTURES_SETUP site)  # 77: without Sphinx
  add_test(NAME check.pages COMMAND ${python} -m pytest -q -p no:cacheprovider ${tools}/site/test_pages.py)
  set_tests_properties(check.pages PROPERTIES FIXTURES_REQUIRED site ENVIRONMENT "ACTIO_SITE=${PROJECT_BINARY_DIR}/docs/html")
  list(APPEND check_names check.docs check.pages)
endif()
add_test(NAME check.markdown COMMAND ${Python3_EXECUTABLE} ${tools}/check_markdown.py ${PROJECT_SOURCE_DIR})
add_test(NAME check.readme COMMAND ${python} ${tools}/check_readme.py ${PROJECT_SOURCE_DIR} ${scratch}/readme ${prefix})
list(APPEND check_names check.markdown)
set_tests_properties(check.install PROPERTIES FIXTURES_SETUP installed)
set_tests_properties(check.installed check.consumer check.pkg_config check.readme PROPERTIES FIXTURES_REQUIRED installed)

# Every problem file of the repository runs, in a folder of its own.
file(GLOB problems CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.toml ${PROJECT_SOURCE_DIR}/models/*.toml)
foreach(problem ${problems})
  cmake_path(GET problem STEM LAST_ONLY stem)
  add_test(NAME example.${stem} COMMAND actio_cli run ${problem})
  set_tests_properties(example.${stem} PROPERTIES WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  list(APPEND check_names example.${stem})
endforeach()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/examples)

# Every problem file of the papers is read; ./actio papers runs them. The frame's matrices are generated, here of a small one.
file(GLOB problems CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/papers/*/*.toml)
set(karow ${PROJECT_SOURCE_DIR}/papers/karow)
set(tower ${PROJECT_BINARY_DIR}/papers/check)
list(REMOVE_ITEM problems ${karow}/frame.toml)
if(TARGET generate AND EXISTS ${karow}/frame.toml)
  add_test(NAME paper.karow.generate COMMAND sh -c "mkdir -p '${tower}' && cp '${karow}/frame.toml' '${karow}/record.csv' '${tower}' \
&& '$<TARGET_FILE:generate>' frame --bays 1x1 --storeys 2 --out '${tower}/frame'")
  add_test(NAME paper.karow.frame COMMAND actio_cli check --quiet ${tower}/frame.toml)
  set_tests_properties(paper.karow.generate PROPERTIES FIXTURES_SETUP tower)
  set_tests_properties(paper.karow.frame PROPERTIES FIXTURES_REQUIRED tower)
  list(APPEND check_names paper.karow.generate paper.karow.frame)
endif()
foreach(problem ${problems})
  cmake_path(RELATIVE_PATH problem BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/papers OUTPUT_VARIABLE name)
  string(REGEX REPLACE "/|\\.toml$" "." name "paper.${name}")
  string(REGEX REPLACE "\\.$" "" name "${name}")
  add_test(NAME ${name} COMMAND actio_cli check --quiet ${problem})
  list(APPEND check_names ${name})
endforeach()

# Friction taken at one end of a step is not reversible, and not claimed to be.
foreach(method minimising-newmark two-step)
  add_test(NAME paper.kmow.friction.${method} COMMAND actio_cli run --quiet ${PROJECT_SOURCE_DIR}/papers/kmow/friction.toml
    method.name=${method} run.steps=100)
  list(APPEND check_names paper.kmow.friction.${method})
endforeach()

# Everything once more: built by clang without a warning, run under the sanitizers. Skips nothing but these checks.
add_test(NAME check.clang_and_sanitizers COMMAND ${PROJECT_SOURCE_DIR}/actio sanitize)
set_tests_properties(check.clang_and_sanitizers PROPERTIES PROCESSORS 2 TIMEOUT 3600)

set_tests_properties(check.budget check.families check.formatting check.layers check.install check.installed check.consumer check.pkg_config check.readme check.clang_and_sanitizers
  ${check_names} PROPERTIES LABELS check)
if(ACTIO_PYTHON)
  set_tests_properties(check.docs check.readme PROPERTIES ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python")
endif()
