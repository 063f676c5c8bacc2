# Writes OUT, what `actio --version` says of the build: the commit it was made at, or nothing where there is no repository.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=9 HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT EXISTS ${SOURCE}/.git)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "namespace actio::cli {
extern const char* const commit;
const char* const commit = \"${commit}\";
}
")
