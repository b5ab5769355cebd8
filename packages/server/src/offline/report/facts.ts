import { basename } from 'node:path'
import type { RuleSettings } from '@account-import/core'
import { packageVersion } from '../../package-version.js'
import { printable } from '../../printable.js'
import type { OfflineTotals, OfflineJob, RunFacts } from '../offline-run.js'
import { html, type Html } from '@account-import/http-contract'
import { decimalText, numberText, sizeText } from './numbers.js'

export type Fact = readonly [name: string, value: string | Html]

/** Names and values under each other. */
export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd> `,
    )}
  </dl>`

const membersShown = 20

const listed = (texts: readonly string[]): string => (texts.length === 0 ? 'none' : texts.join(', '))

const memberText = (members: readonly string[]): string =>
  members.length <= membersShown
    ? members.join(', ')
    : `${members.slice(0, membersShown).join(', ')} and ${numberText(members.length - membersShown)} more`

const settingsFacts = ({
  severities,
  closedLists,
  internalEmailDomains,
  markets,
}: RuleSettings): readonly Fact[] => [
  ['Markets', listed(markets)],
  ['Changed severities', listed(Object.entries(severities).map(([code, severity]) => `${code}=${severity}`))],
  [
    'Closed lists',
    listed(
      Object.entries(closedLists).map(
        ([name, { members, severity }]) => `${name} (${severity}): ${memberText(members)}`,
      ),
    ),
  ],
  ['Internal e-mail domains', listed(internalEmailDomains)],
]

/** The name of the file as a person knows it, without the folders of whoever ran it. */
export const fileTitle = (file: string): string =>
  file === '-' ? 'standard input' : printable(basename(file)).replaceAll('\n', '\\n')

/** By what the accounts were validated, and what no check without the service can say. */
export const validatedBy = ({ context }: OfflineJob): Html =>
  html`<section id="validated-by">
    <h2>Validated by</h2>
    ${factList([
      ['Day', context.today],
      ['Country of national phone numbers', context.defaultCountry],
      ...settingsFacts(context.settings),
      [
        'Not checked here',
        'what only the service knows: whether the import supplier and the operations team exist, whether documents are there, whether an account was imported already',
      ],
    ])}
  </section> `

/** Which bytes were checked. */
export const fileFacts = (file: string, { bytes, sha256 }: OfflineTotals): Html =>
  html`<section id="file">
    <h2>File</h2>
    ${factList([
      ['Name', fileTitle(file)],
      ['Size', bytes < 1024 ? sizeText(bytes) : `${sizeText(bytes)} (${numberText(bytes)} bytes)`],
      ['SHA-256', html`<code>${sha256}</code>`],
    ])}
  </section> `

/** When and how fast: the only part that differs between two runs over the same file. */
export const runSection = (
  { startedAt, seconds, workers }: RunFacts,
  accounts: number,
  workersName = 'Workers',
): Html =>
  html`<section id="run">
    <h2>This run</h2>
    ${factList([
      ['Date', `${startedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
      ['Duration', `${decimalText(seconds)} s`],
      ['Rate', `${numberText(Math.round(accounts / Math.max(seconds, 0.001)))} accounts a second`],
      [workersName, numberText(workers)],
      ['Version', `account-import ${packageVersion()}`],
    ])}
  </section> `
