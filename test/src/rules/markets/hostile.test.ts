import test from 'ava'
import { detailed, validateSpanish, supplied } from './support.js'

const pieces = ['ES', '1', ' ', '-', '. -', 'ES1234 ', 'a\u00a0', '\u017f', 'É', '\ud83e\uddfe', 'RL.']

const texts = (length: number): readonly string[] =>
  pieces.flatMap((piece) => {
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 2)
    return [`${text}Z`, `Z${text}`, `${text}\nT`]
  })

test('texts of 64 KiB fail by their length alone, quickly', (t) => {
  const begin = performance.now()
  for (const text of texts(65_536)) {
    const all = { ...supplied({ identifier: text, distributor_ree_code: text }, { postal_code: text }) }
    t.deepEqual(validateSpanish({ ...all, ...detailed(text) }), { errors: [], warnings: [] })
  }
  t.true(performance.now() - begin < 10_000, `${performance.now() - begin} ms`)
})

test('a payload full of the longest texts that can be read is validated quickly', (t) => {
  // 4 MiB of details, and supply points beside them.
  const details = texts(1024).flatMap((value) =>
    Array.from({ length: 120 }, (_, index) => ({ namespace: index === 0 ? 'x' : 'fiscal_code', value })),
  )
  const points = texts(64).flatMap((identifier) =>
    Array.from({ length: 100 }, () => ({
      identifier,
      supply_type: 'GAS',
      supply_start_date: '2024-01-01',
      atr_tariffs: [{ value: identifier, valid_from: '2024-01-01' }],
    })),
  )
  const fields = {
    customers: [{ user_details: details }],
    supply_addresses: [
      {
        supply_address: { country: 'ES', postal_code: ' 1'.repeat(256) },
        customer_at_supply_address_from_date: '2024-01-01',
        supply_points: points,
      },
    ],
  }
  const begin = performance.now()
  t.true(validateSpanish(fields).warnings.length >= 900)
  t.true(performance.now() - begin < 10_000, `${performance.now() - begin} ms`)
})
