// Loaded by AVA before each test file. Colours are for whoever reads what AVA shows: a child that a test starts inherits its
// environment, and what it prints is compared, so it has to be the same in a terminal, in a pipe and in CI.
for (const name of ['FORCE_COLOR', 'CLICOLOR_FORCE', 'NO_COLOR']) delete process.env[name]
