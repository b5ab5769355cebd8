import { textOf } from '../support/repository.js'

type Block = Readonly<{ language: string; label: string; text: string }>

/** The blocks of code of a page in order, without the indent of a list; those without a name have an empty label. */
export const blocksIn = (page: string): readonly Block[] =>
  [...textOf(page).matchAll(/^( *)```(\w+) ?(\S*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', label = '', text = '']) => ({
      language,
      label,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )

/** Those that have a label. */
export const labelledBlocks = (page: string): readonly Block[] =>
  blocksIn(page).filter(({ label }) => label !== '')

/** The texts of those with this language and label, of the README unless another page is named, in order. */
export const blocksOf = (language: string, label: string, page = 'README.md'): readonly string[] =>
  blocksIn(page)
    .filter((block) => block.language === language && block.label === label)
    .map(({ text }) => text)
