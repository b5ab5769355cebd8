import type { Sent } from './exchange.js'

/** Stands in values that are sent, and in nothing that the service may write down or answer of itself. */
export const canary = 'c4n4ry'

/** A request, and what is known of it before it is answered. */
export type Request = Readonly<{
  sent: Sent
  /** What its body holds, where that is JSON in good form and goes as it is. */
  value?: Readonly<{ json: unknown }>
  /** A stream of lines is cut where its packed bytes are damaged. */
  mayBeCut?: true
  /** How many lines the answer has to have, where it has one for each line of the body. */
  lineCount?: number
  /** The statuses that it may be answered with, where that is certain. */
  expected?: readonly number[]
}>

/** What was made in the service before the first request. Codes and secrets differ from run to run. */
export type Facts = Readonly<{
  /** Requests of one lane must not meet those of another, so each has its own. */
  suppliers: readonly string[]
  /** Of the same organisation, and paused. */
  pausedSupplier: string
  foreignSupplier: string
  team: string
  apiKey: string
  /** Each allows one scope, but `full` all; `foreign` is another organisation's. */
  tokens: Readonly<Record<'full' | 'foreign' | 'validate' | 'read', string>>
}>

/** Whom the requests of a sequence are about. */
export type Account = Facts & Readonly<{ supplier: string; number: string }>

/** The account of this number of the first supplier. */
export const accountOf = (facts: Facts, number: string): Account => ({
  ...facts,
  supplier: facts.suppliers[0] ?? '',
  number,
})

/** What becomes requests when it is known whom they are about: one after the other, those of one list at the same moment. */
export type Plan = (account: Account) => readonly (readonly Request[])[]

/** A body, and what is known of it. */
export type BodyFor = (
  account: Account,
) => Pick<Request, 'value' | 'lineCount'> & Readonly<{ bytes: Uint8Array }>

/** Texts that are sent: many lines of many, each with bars between. */
export const texts = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split('|'))
