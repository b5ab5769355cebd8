import type { CodeFacts, ExampleText } from '@account-import/http-contract/docs'
import { properties } from './properties.js'

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

const section = (title: string, text: string): readonly string[] => (text === '' ? [] : [`${title}\n${text}`])

/** What a code means and how to fix it, for people. */
export const explained = (facts: CodeFacts, example: ExampleText): string => {
  const { code, detail, where, remedy, statuses, severity, command, guide } = facts
  return [
    `${code}\n${detail}`,
    properties({
      'What to do': remedy,
      'Appears as': where,
      'HTTP status': statuses,
      Severity: severity,
      Changeable: command ?? 'no, it is the same for all suppliers',
    }),
    ...section('What it means', guide.means),
    ...section('Why it happens', list(dash, guide.causes)),
    ...section(
      'How to fix it',
      list((index) => `${index + 1}.`, guide.fix),
    ),
    ...section('Example', exampleLines(example)),
    ...section('Where attr points', guide.at.join('\n')),
    ...section('See also', guide.related.join(', ')),
  ].join('\n\n')
}

/** The same for programs. */
export const explainedJson = (facts: CodeFacts, { place, bad, good, setting }: ExampleText) => {
  const { code, detail, where, remedy, statuses, severity, command, guide } = facts
  const { means, causes, fix, at, related } = guide
  return {
    code,
    detail,
    appears_as: where,
    what_to_do: remedy,
    http_status: statuses,
    severity,
    changed_by: command ?? null,
    means,
    causes,
    fix,
    attr: at,
    example: { place, bad, good, setting: setting ?? null },
    related,
  }
}
