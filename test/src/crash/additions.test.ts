import { additionsCrashRun } from './additions/additions-run.js'
import { judgeKills } from './judge-kills.js'

judgeKills(
  (kills) =>
    `${kills} kills of the server under 8 clients that add to accounts: each request whole or not at all, once`,
  additionsCrashRun,
  ({ acknowledged, addedUnanswered, requests }) => ({ known: acknowledged + addedUnanswered, all: requests }),
)
