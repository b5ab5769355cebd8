import { validationText } from '../report/validation-text.js'
import { ajv } from './ajv-judge.js'
import { ours, type Judge } from './judge.js'
import { payloadSets } from './payload-sets.js'
import { takeTurns, type SetCosts } from './take-turns.js'
import { worstCases, type WorstCase } from './worst-case.js'

/** What judging accounts costs, and how long the worst of them take. */
export type ValidationFigures = Readonly<{ sets: readonly SetCosts[]; worst: readonly WorstCase[] }>

const judges: readonly Judge[] = [ours, ajv]

const progress = (text: string): void => console.error(text)

/** Measures validation in this process, `milliseconds` for each set; no server takes part. */
const measureValidation = (rounds: number, milliseconds: number): ValidationFigures => {
  const sets = payloadSets().map((set) => {
    progress(`validation, ${set.name}`)
    return takeTurns(set, judges, milliseconds)
  })
  progress('validation, hostile payloads')
  return { sets, worst: worstCases(rounds) }
}

/** Measures validation and prints what was found. */
export const runValidation = (
  plan: Readonly<{ rounds: number; milliseconds: number; json: boolean }>,
): void => {
  const figures = measureValidation(plan.rounds, plan.milliseconds)
  console.log(plan.json ? JSON.stringify({ validation: figures }) : validationText(figures))
}
