import type { AccountPayload } from '@account-import/core'
import { dateOf } from '../calendar.js'
import type { Random } from '../random/random.js'

type Metadata = NonNullable<AccountPayload['metadata']>
type References = NonNullable<AccountPayload['references']>

/** The fields of an account in the system that it comes from. */
export const metadataOf = (random: Random, startDay: number): Metadata => [
  {
    key: 'legacy_segment',
    value: { segment: random.pick(['A1', 'A2', 'B1', 'B2', 'C']), since: dateOf(startDay) },
  },
  ...(random.chance(0.5)
    ? [
        {
          key: 'legacy_consents',
          value: {
            marketing: random.chance(0.4),
            thirdParties: false,
            channels: ['email', 'sms'],
            reviewed: null,
          },
        },
      ]
    : []),
  ...(random.chance(0.25)
    ? [{ key: 'legacy_scoring', value: { score: random.between(300, 990) / 10, model: 'v3' } }]
    : []),
]

/** The numbers of the account in other systems. */
export const referencesOf = (random: Random, supplier: string): References => {
  const system = supplier.toLowerCase().slice(0, 24)
  return [
    { namespace: `${system}.crm.contract`, value: `C-${random.digits(7)}` },
    ...(random.chance(0.6) ? [{ namespace: `${system}.billing.customer`, value: random.digits(9) }] : []),
  ]
}
