import { crashRun } from './crash-run.js'
import { judgeKills } from './judge-kills.js'

judgeKills(
  (kills) => `${kills} kills of the server under 8 processing clients: nothing half done, nothing lost`,
  crashRun,
  ({ acknowledged, createdUnanswered, accounts }) => ({
    known: acknowledged + createdUnanswered,
    all: accounts,
  }),
)
