import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { oneOf } from '../arguments/arguments.js'
import type { CliContext, JsonOption } from '../cli-io.js'
import { bashCompletion } from '../completion/bash.js'
import { completedOf } from '../completion/completed.js'
import { fishCompletion } from '../completion/fish.js'
import { zshCompletion } from '../completion/zsh.js'
import { leafCommand } from '../leaf-command.js'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const
const shells = ['bash', 'zsh', 'fish'] as const

const about = `Print a script with which a shell completes commands and options.
Load it where the shell starts, for the program as it is installed on the PATH (npx completes nothing).`

/** `completion bash|zsh|fish` */
export const completionCommand = ({ finish }: CliContext): Command => {
  const command = leafCommand('completion', about)
    .summary('Print a script with which a shell completes commands and options.')
    .argument('<shell>', shells.join(', '), oneOf(shells))
  return command.action((shell: (typeof shells)[number], options: JsonOption) => {
    const script = scripts[shell](completedOf(command.parent ?? command))
    finish(E.right({ json: { shell, script }, result: script.trimEnd() }), options)
  })
}
