import { textOf } from '../support/repository.js'

/** The code blocks of a page, the README unless another is named, with this language and label, in order. */
export const blocksOf = (language: string, label: string, page = 'README.md'): readonly string[] =>
  [...textOf(page).matchAll(/^```(\w+) ([\w-]+)\n([\s\S]*?)^```$/gm)]
    .filter(([, blockLanguage, blockLabel]) => blockLanguage === language && blockLabel === label)
    .map(([, , , text = '']) => text)

/** Numbers of accounts and times differ from run to run. */
export const withoutChance = (text: string): string =>
  text
    .replaceAll(/A-[0-9A-Z]{12}/g, 'A-************')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '****-**-**T**:**:**Z')
