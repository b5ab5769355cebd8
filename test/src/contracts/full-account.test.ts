import type { AccountDetails } from '@account-import/core'
import { everyDetail, type DeepRequired } from '@account-import/core/contract-tests'
import test from 'ava'

type Full = DeepRequired<AccountDetails>
type Point = Full['supply_addresses'][number]['supply_points'][number]

const accepts = <T>(value: T): T => value

/** What follows is proved by the compiler: an error that is expected and does not come is an error itself. */
test('the full account of the cases does not compile without one of its fields, however deep it lies', (t) => {
  t.is(accepts<Full>(everyDetail), everyDetail)

  const { billing_address5: _forgotten, ...others } = everyDetail
  // @ts-expect-error -- a field of the account is forgotten
  t.is(accepts<Full>(others), others)

  const [reading] = everyDetail.supply_addresses[0].supply_points[0].readings
  const { source: _source, ...rest } = reading
  // @ts-expect-error -- a field of a member of a list of a list is forgotten
  t.deepEqual(accepts<Point['readings']>([rest]), [rest])

  // @ts-expect-error -- a list without a member shows no field at all
  t.deepEqual(accepts<Full['customers']>([]), [])
})
