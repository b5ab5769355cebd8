import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { delimiter, join } from 'node:path'
import type { CliEnvironment } from '../support/cli-process.js'
import { root } from '../support/repository.js'

/** `npx` without the second in which npm finds the program. `server/npx.test.ts` shows that the real one finds it. */
const quickNpx = 'npx() { "$@"; }\n'

/** Starts commands of a page in a shell in the folder, which finds the program as after `npm install`. */
export const startShell = (
  folder: string,
  commands: string,
  environment: CliEnvironment = {},
): ChildProcessByStdio<null, Readable, Readable> =>
  spawn('bash', ['-e', '-o', 'pipefail', '-c', quickNpx + commands], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
      HOME: folder,
      // npm writes logs and the day of its last look for updates into HOME, which may be this repository.
      npm_config_logs_max: '0',
      npm_config_update_notifier: 'false',
      ...environment,
    },
  })

/** Runs commands in a shell in the folder, and returns their output. Throws unless they end with this code. */
export const runShell = (
  folder: string,
  commands: string,
  environment: CliEnvironment = {},
  expected = 0,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const shell = startShell(folder, commands, environment)
    const printed = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      shell[name].setEncoding('utf8').on('data', (text: string) => (printed[name] += text))
    shell.on('error', reject)
    shell.on('close', (code) => {
      const output = printed.stdout + printed.stderr
      if (code === expected) resolve(output)
      else reject(new Error(`${commands}\nended with ${code}:\n${output}`))
    })
  })
