import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { root, textOf } from '../support/repository.js'
import { quickNpx } from './quick-npx.js'

/** What the shell of somebody who follows a tutorial has. */
export const tutorialEnvironment = {
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
  HOME: process.env['HOME'] ?? '',
}

/** The blocks of a page whose first line is this language and a name that begins so: language, name, text. */
export const blocksOfPage = (page: string): readonly (readonly [string, string, string])[] =>
  [...textOf(page).matchAll(/```(sh|text|ts) (\S+)\n([^`]*(?:`[^`]+`[^`]*)*?)```/g)].map(
    ([, language = '', name = '', text = '']) => [language, name, text],
  )

/**
 * Runs the blocks of a tutorial one after the other, each in a shell in the folder of the project, and looks for what it shows in what
 * the one before wrote; gives what the last one wrote. `here` puts places of the test in the place of those that the page names.
 */
export const followTutorial = (
  t: ExecutionContext,
  blocks: readonly (readonly [string, string, string])[],
  here: (text: string) => string,
): string => {
  let shown = ''
  for (const [language, name, text] of blocks) {
    if (language === 'text') {
      t.true(shown.includes(text), `${text}\n--- is not in\n${shown}`)
      continue
    }
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail'], {
      cwd: root,
      env: tutorialEnvironment,
      input: quickNpx + here(text),
      encoding: 'utf8',
    })
    shown = stdout + stderr
    t.is(status, name === 'tutorial' ? 0 : 1, shown)
  }
  return shown
}
