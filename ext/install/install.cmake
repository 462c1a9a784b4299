# cmake --install: the program, the extension, the static library for C and C++ with its header, what find_package and
# pkg-config read, the manual, the man page. The same files are the Debian package (cpack -G DEB). All may be moved together.
#
#   cmake --install build --prefix /usr            # then .load s2v finds it, and find_package(sqlite-s2v)
#   cmake --build build --target packages          # .deb, Python wheel and npm packages, in build/packages
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  execute_process(COMMAND ${CMAKE_C_COMPILER} -dumpmachine OUTPUT_VARIABLE CMAKE_LIBRARY_ARCHITECTURE OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(NOT DEFINED CMAKE_INSTALL_LIBDIR AND CMAKE_LIBRARY_ARCHITECTURE)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE})  # where Debian's loader looks, in /usr
endif()
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # a package needs no tests built
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/sqlite-s2v)

install(TARGETS s2v_extension s2v_static DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET s2v)
  install(TARGETS s2v)
  # The program itself is asked; that of another Linux where its emulator is installed.
  set(S2V_ASKED $<TARGET_FILE:s2v>)
  if(CMAKE_CROSSCOMPILING)
    set(S2V_ASKED ${PROJECT_BINARY_DIR}/emulated/s2v)
    list(GET CMAKE_CROSSCOMPILING_EMULATOR 0 S2V_EMULATOR_NAME)
    find_program(S2V_EMULATOR ${S2V_EMULATOR_NAME} NO_CMAKE_FIND_ROOT_PATH)
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND S2V_EMULATOR OR NOT CMAKE_CROSSCOMPILING)
    set(S2V_MAN_PAGE ${PROJECT_BINARY_DIR}/generated/s2v.1)
    add_custom_command(TARGET s2v POST_BUILD VERBATIM
                       COMMAND ${PROJECT_SOURCE_DIR}/ext/install/man_page.sh ${S2V_ASKED} ${S2V_MAN_PAGE})
    install(FILES ${S2V_MAN_PAGE} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()
if(TARGET s2v-mpi)
  install(TARGETS s2v-mpi RUNTIME COMPONENT mpi OPTIONAL)  # quickstart.sh builds without it
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}-mpi COMPONENT mpi RENAME copyright)
  install(FILES ext/install/NOTICES DESTINATION ${CMAKE_INSTALL_DOCDIR}-mpi COMPONENT mpi)
endif()
install(FILES ext/s2v.h TYPE INCLUDE)
install(FILES README.md CHANGELOG.md TYPE DOC)
install(DIRECTORY docs TYPE DOC)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES ext/install/NOTICES TYPE DOC)

set(S2V_CONFIG_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/sqlite-s2v)
set(S2V_PC_FOLDER ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH S2V_PC_PREFIX /${S2V_PC_FOLDER} /)
configure_package_config_file(ext/install/sqlite-s2v-config.cmake.in generated/sqlite-s2v-config.cmake
  INSTALL_DESTINATION ${S2V_CONFIG_FOLDER} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/sqlite-s2v-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
configure_file(ext/install/sqlite-s2v.pc.in generated/sqlite-s2v.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/sqlite-s2v-config.cmake
              ${PROJECT_BINARY_DIR}/generated/sqlite-s2v-config-version.cmake DESTINATION ${S2V_CONFIG_FOLDER})
install(FILES ${PROJECT_BINARY_DIR}/generated/sqlite-s2v.pc DESTINATION ${S2V_PC_FOLDER})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sqlite-s2v)
set(CPACK_PACKAGE_CONTACT "The sqlite-s2v authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Sentence embeddings and search inside SQLite")
set(CPACK_PACKAGE_DESCRIPTION "An extension that learns sentence embeddings from a column of a table (Sent2Vec), keeps\
 the model in that database, and searches the table by meaning and by words; a program and a C library of the same.")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
if(CMAKE_CROSSCOMPILING)  # here glibc is in a package of the compiler's; tests/install/cross_test.sh looks at the version
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34)")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL "armv7l")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE armhf)
  endif()
else()
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS sqlite3)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsqlite3-dev, libutf8proc-dev, libstemmer-dev")  # to link the static library
if(TARGET s2v-mpi)  # a package of its own, so that the other needs no Open MPI
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME sqlite-s2v)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME sqlite-s2v-mpi)
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Sentence embeddings inside SQLite, trained by several processes\n The program s2v-mpi,\
 which trains a model of sqlite-s2v with the ranks of MPI, on one machine or many.")
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION utils)
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
  set(CPACK_DEBIAN_MPI_PACKAGE_SUGGESTS sqlite-s2v)
endif()
include(CPack)

add_custom_target(packages
  COMMAND ${PROJECT_SOURCE_DIR}/ext/install/packages.sh ${PROJECT_BINARY_DIR} ${PROJECT_VERSION}
  DEPENDS s2v_extension s2v_static $<TARGET_NAME_IF_EXISTS:s2v> $<TARGET_NAME_IF_EXISTS:s2v-mpi> USES_TERMINAL VERBATIM)
