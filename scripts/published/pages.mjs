import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Runs the block of commands with this name of a page, `here` changed for this machine, in a folder; throws when it fails. */
export const runBlock = (page, name, folder, here = (commands) => commands) => {
  const [, block] =
    new RegExp(`^\`\`\`sh ${name}\n([^]*?)^\`\`\`$`, 'm').exec(readFileSync(page, 'utf8')) ?? []
  if (block === undefined) throw new Error(`${page} has no block ${name}`)
  const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', here(block)], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${page}, ${name}: exit ${status}\n${stdout}`)
  return stdout
}
