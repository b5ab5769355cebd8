import { spawn, type SpawnOptions } from 'node:child_process'

/** Runs a command to its end; rejects with the end of its output when it fails. */
export const runCommand = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4000)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with code ${code}:\n${output}`)),
    )
  })
