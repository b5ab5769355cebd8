// Loaded by AVA before each test file. Colours are for readers of AVA's output: a child process inherits the environment of the
// test, and its output is compared, so it has to be the same in a terminal, in a pipe and in CI.
for (const name of ['FORCE_COLOR', 'CLICOLOR_FORCE', 'NO_COLOR']) delete process.env[name]
