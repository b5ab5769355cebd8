import { timeOnLoop } from './loop-time.js'

/** What parsing the text takes the machine that the limits of time were set on, in milliseconds of its processor. */
const onReference = 11

const rounds = 10

const text = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({
    id: `T-${index}`,
    amount: index / 100,
    type: 'CREDIT',
    items: [],
  })),
)

/** How many times as long this machine takes for the same work as the one that the limits were set on; at least 1. */
export const slowness = (): number => {
  const times = Array.from(
    { length: rounds },
    () => timeOnLoop(() => JSON.parse(text) as unknown).milliseconds,
  )
  return Math.max(1, Math.min(...times) / onReference)
}
