# CPack runs this between installing and packing: what Debian's policy asks of a package besides the files that are installed.
cmake_minimum_required(VERSION 3.25)
set(holder "2026 The Actio authors")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component c development program)
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(doc ${root}/share/doc/${name})
  file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Actio

Files: *
Copyright: ${holder}
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
")
  file(WRITE ${doc}/changelog "actio (${CPACK_DEBIAN_PACKAGE_VERSION}) unstable; urgency=medium

  * The packages of this version; its CHANGELOG.md says what is new.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
  execute_process(COMMAND gzip -9nf ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(REMOVE ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/doc/actio/LICENSE)
file(CREATE_LINK ../../actio/examples ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/doc/actio/examples SYMBOLIC)
set(zsh ${CPACK_TEMPORARY_DIRECTORY}/program/usr/share/zsh)
file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)  # where Debian's zsh looks
# CPack's own postinst and postrm call ldconfig, beside the trigger.
file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/c/usr/share/lintian/overrides/${CPACK_DEBIAN_C_PACKAGE_NAME} "maintscript-calls-ldconfig\n")

file(GLOB_RECURSE archives ${CPACK_TEMPORARY_DIRECTORY}/*.a)
file(GLOB programs ${CPACK_TEMPORARY_DIRECTORY}/program/usr/bin/*)
file(GLOB_RECURSE shared ${CPACK_TEMPORARY_DIRECTORY}/c/*.so.*.*.*)
set(sections --remove-section=.comment --remove-section=.note)
execute_process(COMMAND strip --strip-debug --enable-deterministic-archives ${sections} ${archives} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND strip --strip-unneeded ${sections} ${programs} ${shared} COMMAND_ERROR_IS_FATAL ANY)
