#!/usr/bin/env node
import { exitCode } from './cli/command-result.js'
import { watchOutput } from './cli/output/lost-output.js'
import { runCli } from './cli/run-cli.js'

// The files that this program makes hold keys and personal data: for their owner only.
process.umask(0o077)

const output = watchOutput(process, () => {
  process.exitCode = exitCode.environment
})

// Only the exit code is set: what is still being written to stdout and stderr gets out before the process ends.
process.exitCode = output.codeToEndWith(
  await runCli(process.argv.slice(2), {
    environment: process.env,
    out: (text) => process.stdout.write(text),
    drained: output.drained,
    err: (text) => process.stderr.write(text),
    ...(process.stderr.isTTY ? { terminal: process.stderr } : {}),
  }),
)
