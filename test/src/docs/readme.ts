import { textOf } from '../support/repository.js'

/** The blocks of code of a page whose first line is a language and a label, in order. */
export const labelledBlocks = (
  page: string,
): readonly Readonly<{ language: string; label: string; text: string }>[] =>
  [...textOf(page).matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', label = '', text = '']) => ({ language, label, text }),
  )

/** The code blocks of a page, the README unless another is named, with this language and label, in order. */
export const blocksOf = (language: string, label: string, page = 'README.md'): readonly string[] =>
  labelledBlocks(page)
    .filter((block) => block.language === language && block.label === label)
    .map(({ text }) => text)
