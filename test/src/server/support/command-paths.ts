import { textOf } from '../../support/repository.js'

/** Every command of the program that does something, as the generated reference names it. */
export const commandPaths: readonly string[] = [
  ...textOf('docs/reference/command-line.md').matchAll(/^## account-import (.*)$/gm),
].map(([, path = '']) => path)
