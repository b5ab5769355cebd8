import { bundledMarkets, catalogueOf } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import {
  type CodeFacts,
  codeFacts,
  codeGuides,
  type ExampleText,
  type Guide,
  onOneLine,
} from '@account-import/adapter-http-koa/docs'
import type { Command } from 'commander'
import { documentation } from '../../documentation.js'
import { type CliContext, type CommandResult, leafCommand, refused } from '../command.js'
import { properties } from '../output.js'

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

/** A code with all that is known of it, for people. */
const explained = (facts: CodeFacts, guide: Guide): string => {
  const { code, detail, where, remedy, statuses, severity, command } = facts
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
    ...section('Example', exampleLines(guide.example)),
    ...section('Where attr points', guide.at.join('\n')),
    ...section('See also', guide.related.join(', ')),
  ].join('\n\n')
}

/** The same for programs. */
const explainedJson = (facts: CodeFacts, guide: Guide) => {
  const { code, detail, where, remedy, statuses, severity, command } = facts
  const { means, causes, fix, at, related } = guide
  const { place, bad, good, setting } = onOneLine(guide.example)
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

/** Codes that share a word with the given text, the most of them first. */
const similarTo = (text: string): readonly string[] => {
  const words = new Set(text.toLowerCase().split(/[^a-z0-9]+/))
  const shared = (code: string): number => code.split('_').filter((word) => words.has(word)).length
  return Object.keys(catalogueOf(bundledMarkets))
    .filter((code) => shared(code) > 0)
    .toSorted((left, right) => shared(right) - shared(left))
    .slice(0, 5)
}

const unknownCode = (code: string): CommandResult => {
  const similar = similarTo(code)
  const meant =
    similar.length > 0
      ? ` Similar ones: ${similar.join(', ')}.`
      : ` All codes: ${documentation}/reference/errors.md`
  return E.left(refused('does_not_exist', `There is no code ${code}.${meant}`))
}

const explanation = async (code: string): Promise<CommandResult> => {
  const facts = codeFacts(code, bundledMarkets, await codeGuides())
  if (facts?.guide === undefined) return unknownCode(code)
  return E.right({ json: explainedJson(facts, facts.guide), result: explained(facts, facts.guide) })
}

/** `explain CODE` */
export const make = ({ finish }: CliContext): Command =>
  leafCommand('explain')
    .argument('<code>', 'a code of an error or a warning, such as invalid_phone_number')
    .action(async (code: string) => finish(await explanation(code)))
