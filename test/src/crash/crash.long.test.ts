import { crashRun } from './crash-run.js'
import { testKills } from './test-kills.js'

testKills(
  (kills) => `${kills} kills of the server under 8 processing clients: nothing half done, nothing lost`,
  crashRun,
  ({ acknowledged, createdUnanswered, accounts }) => ({
    known: acknowledged + createdUnanswered,
    all: accounts,
  }),
)
