import { E } from '@account-import/core/fp'
import { type CodePage, codePages, type ExampleText, type PlaceMeaning } from '../code-pages.js'
import { documentation } from '../program-name.js'
import { type CliContext, type CommandResult, leafCommand, refused } from '../kit/command.js'
import { properties } from '../kit/output.js'

const list = (mark: (index: number) => string, texts: readonly string[]): string =>
  texts.map((text, index) => `${mark(index)} ${text}`).join('\n')

const dash = (): string => '-'

const exampleLines = ({ place, bad, good, setting }: ExampleText): string =>
  [
    ...(place === '' ? [] : [`Fields of ${place}.`]),
    ...(setting === undefined ? [] : [`With the setting ${setting}.`]),
    `gets it:  ${bad.replaceAll('\n', '\n          ')}`,
    `does not: ${good.replaceAll('\n', '\n          ')}`,
  ].join('\n')

const meaningLine = ({ text, example }: PlaceMeaning): string =>
  `    ${text}${example === undefined ? '' : ` Example: ${JSON.stringify(example)}`}`

/** Each place with the meaning of its field below; neighbours with the same meaning share one line. */
const placeLines = ({ at, meanings }: CodePage): string =>
  at
    .flatMap((place, index) => {
      const meaning = meanings.find((each) => each.at === place)
      const next = meanings.find((each) => each.at === at[index + 1])
      return meaning === undefined || meaning.text === next?.text ? [place] : [place, meaningLine(meaning)]
    })
    .join('\n')

const section = (title: string, text: string): readonly string[] => (text === '' ? [] : [`${title}\n${text}`])

/** The page of a code, for people. */
const explained = (code: string, page: CodePage): string =>
  [
    `${code}\n${page.detail}`,
    properties({
      'What to do': page.remedy,
      'Appears as': page.where,
      'HTTP status': page.statuses,
      Severity: page.severity,
      Changeable: page.command ?? 'no, it is the same for all suppliers',
    }),
    ...section('What it means', page.means),
    ...section('Why it happens', list(dash, page.causes)),
    ...section(
      'How to fix it',
      list((index) => `${index + 1}.`, page.fix),
    ),
    ...section('Example', exampleLines(page.example)),
    ...section('Where attr points', placeLines(page)),
    ...section('See also', page.related.join(', ')),
  ].join('\n\n')

/** The page of a code, for programs; each payload of the example is on one line. */
const explainedJson = (code: string, page: CodePage) => {
  const { place, bad, good, setting } = page.example
  const onOneLine = (text: string): string => (place === '' ? text : JSON.stringify(JSON.parse(text)))
  return {
    code,
    detail: page.detail,
    appears_as: page.where,
    what_to_do: page.remedy,
    http_status: page.statuses,
    severity: page.severity,
    changed_by: page.command ?? null,
    means: page.means,
    causes: page.causes,
    fix: page.fix,
    attr: page.at,
    fields: page.meanings.map(({ at, text, example: value }) => ({
      attr: at,
      meaning: text,
      example: value,
    })),
    example: { place, bad: onOneLine(bad), good: onOneLine(good), setting: setting ?? null },
    related: page.related,
  }
}

/** Codes that share words with the text: the five with the most. */
const similarTo = (text: string, codes: readonly string[]): readonly string[] => {
  const words = new Set(text.toLowerCase().split(/[^a-z0-9]+/))
  const shared = (code: string): number => code.split('_').filter((word) => words.has(word)).length
  return codes
    .filter((code) => shared(code) > 0)
    .toSorted((left, right) => shared(right) - shared(left))
    .slice(0, 5)
}

const unknownCode = (code: string, codes: readonly string[]): CommandResult => {
  const similar = similarTo(code, codes)
  const meant =
    similar.length > 0
      ? ` Similar ones: ${similar.join(', ')}.`
      : ` All codes: ${documentation}/reference/errors.md`
  return E.left(refused('does_not_exist', `There is no code ${code}.${meant}`))
}

const explanation = async (code: string): Promise<CommandResult> => {
  const pages = await codePages()
  const page = Object.hasOwn(pages, code) ? pages[code] : undefined
  if (page === undefined) return unknownCode(code, Object.keys(pages))
  return E.right({ json: explainedJson(code, page), result: explained(code, page) })
}

/** `explain CODE` */
export const make = ({ finish }: CliContext) =>
  leafCommand('explain')
    .example('explain invalid_phone_number')
    .argument('<code>', 'a code of an error or a warning, such as invalid_phone_number')
    .action(async (code: string) => finish(await explanation(code)))
