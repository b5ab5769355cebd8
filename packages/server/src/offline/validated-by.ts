import type { RuleSettings } from '@account-import/core'
import { html, type Html } from '@account-import/http-contract'
import { factList, type Fact } from '../account-files/report/facts.js'
import { numberText } from '../account-files/report/numbers.js'
import type { OfflineJob } from './offline-job.js'

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
