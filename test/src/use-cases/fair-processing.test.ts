import { defaultServiceSettings, makeUseCases, type UseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import test from 'ava'
import { setImmediate } from 'node:timers/promises'
import { answer } from '../support/answers.js'
import { gasAccount } from '../support/samples.js'
import { setUp } from '../support/set-up.js'
import { countedSecrets } from './support/counted-secrets.js'
import { settableClock } from './support/service.js'

/** Two organisations with staged accounts, where so many may be processed at one time; accounts take a turn or two. */
const twoOrganisations = async (places: number, accounts: number) => {
  const clock = settableClock()
  const ports = inMemoryPorts({
    clock,
    secrets: countedSecrets(),
    settings: { ...defaultServiceSettings, processingConcurrencyLimit: places },
  })
  const { platformAccountNumbers } = ports
  const useCases = makeUseCases({
    ...ports,
    platformAccountNumbers: {
      next: () => async () => {
        for (let turn = 0; turn < 5; turn += 1) await setImmediate()
        return platformAccountNumbers.next()()
      },
    },
  })
  const made = [await setUp(useCases.operator), await setUp(useCases.operator)] as const
  for (const { organisation, supplier } of made)
    for (let index = 0; index < accounts; index += 1)
      await answer(useCases.stageAccount({ organisation, payload: gasAccount(supplier, `N-${index}`) }))
  return { useCases, clock, made }
}

type Made = Awaited<ReturnType<typeof twoOrganisations>>['made'][number]

/** Processes accounts of an organisation, so many at one time, each again at once where no place is free. */
const processing = async (
  useCases: UseCases,
  { organisation, supplier, team }: Made,
  numbers: readonly number[],
  width: number,
): Promise<number> => {
  const left = [...numbers]
  let refused = 0
  const work = async (): Promise<void> => {
    for (let number = left.shift(); number !== undefined; number = left.shift())
      for (;;) {
        const payload = {
          import_supplier_code: supplier,
          external_account_number: `N-${number}`,
          operations_team_name: team,
        }
        const outcome = await useCases.processAccount({ organisation, payload })()
        if (outcome._tag === 'Right') break
        if (outcome.left._tag !== 'ConcurrencyLimitReached') throw new Error(outcome.left._tag)
        refused += 1
        await setImmediate()
      }
  }
  await Promise.all(Array.from({ length: width }, work))
  return refused
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

for (const places of [1, 4])
  test(`an organisation that always asks for places (${places}) does not starve another, which asks for one at a time`, async (t) => {
    const { useCases, made } = await twoOrganisations(places, 60)
    const [greedy, modest] = made
    let greedyIsDone = false
    const flood = processing(useCases, greedy, upTo(60), 20).then(() => (greedyIsDone = true))
    await processing(useCases, modest, upTo(10), 1)
    t.false(greedyIsDone, 'ten accounts of one were through before sixty of the other')
    await flood
  })

test('places that nobody else wants are not kept free, also after another one has gone away', async (t) => {
  const { useCases, made, clock } = await twoOrganisations(1, 3)
  const [one, other] = made
  const request = (of: Made, number: number) =>
    useCases.processAccount({
      organisation: of.organisation,
      payload: {
        import_supplier_code: of.supplier,
        external_account_number: `N-${number}`,
        operations_team_name: of.team,
      },
    })()
  const [first, refused] = await Promise.all([request(one, 0), request(other, 0)])
  t.is(first._tag, 'Right')
  t.like(refused, { _tag: 'Left', left: { _tag: 'ConcurrencyLimitReached' } })
  t.like(await request(one, 1), { left: { _tag: 'ConcurrencyLimitReached' } }, 'it is the turn of the other')
  clock.pass(4)
  t.is((await request(one, 1))._tag, 'Right', 'the other did not come back')
  t.is((await request(other, 0))._tag, 'Right')
  t.is((await request(one, 2))._tag, 'Right')
})
