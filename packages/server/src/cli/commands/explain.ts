import type { Command } from 'commander'
import { bundledMarkets, catalogueOf } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { codeFacts, exampleText } from '@account-import/http-contract/docs'
import { documentation } from '../../documentation.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import type { CommandResult } from '../command-result.js'
import { exitCode } from '../exit-code.js'
import { leafCommand } from '../leaf-command.js'
import { explained, explainedJson } from '../output/explained.js'

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
  return E.left({
    exitCode: exitCode.refused,
    code: 'does_not_exist',
    detail: `There is no code ${code}.${meant}`,
  })
}

const explanation = (code: string): CommandResult => {
  const facts = codeFacts(code, bundledMarkets)
  if (facts === undefined) return unknownCode(code)
  return E.right({
    json: explainedJson(facts, exampleText(facts.guide.example, 0)),
    result: explained(facts, exampleText(facts.guide.example)),
  })
}

/** `explain CODE` */
export const explainCommand = ({ finish }: CliContext): Command =>
  leafCommand('explain', 'Say what an error code means, and how to fix it.')
    .argument('<code>', 'a code of an error or a warning, such as invalid_phone_number')
    .action((code: string, options: JsonOption) => finish(explanation(code), options))
