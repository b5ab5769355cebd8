import { additionsCrashRun } from './additions/additions-run.js'
import { testKills } from './test-kills.js'

testKills(
  (kills) =>
    `${kills} kills of the server under 8 clients that add to accounts: each request whole or not at all, once`,
  additionsCrashRun,
  ({ acknowledged, addedUnanswered, requests }) => ({ known: acknowledged + addedUnanswered, all: requests }),
)
