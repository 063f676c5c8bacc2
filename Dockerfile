# Actio's Debian packages, and the program in a small Debian 12 with the C compiler that its energies are compiled by.
#   docker build -t actio .
#   docker run --rm -v "$PWD:/data" actio run problem.toml
FROM debian:12 AS build
WORKDIR /source
COPY actio .
# The packages to build with are those that ./actio names.
RUN apt-get update && apt-get install --yes --no-install-recommends dpkg-dev file git \
    $(sed -n '/^build_packages=(/,/)$/p' actio | sed 's/build_packages=//' | tr -d '()')
COPY . .
RUN tools/deb

FROM debian:12-slim
COPY --from=build /source/dist/actio_*.deb /packages/
RUN apt-get update && apt-get install --yes --no-install-recommends /packages/actio_*.deb gcc libc6-dev && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["actio"]
CMD ["--help"]
