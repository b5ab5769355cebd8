import { validationText, type ValidationFigures } from './validation-text.js'
import { ajv } from './ajv-validator.js'
import { ours, type Validator } from './validator.js'
import { payloadSets } from './payload-sets.js'
import { takeTurns } from './take-turns.js'

const validators: readonly Validator[] = [ours, ajv]

const progress = (text: string): void => console.error(text)

/** Measures validation in this process, `milliseconds` for each set; no server takes part. */
const measureValidation = (milliseconds: number): ValidationFigures => ({
  sets: payloadSets().map((set) => {
    progress(`validation, ${set.name}`)
    return takeTurns(set, validators, milliseconds)
  }),
})

/** Measures validation and prints what was found. */
export const runValidation = (plan: Readonly<{ milliseconds: number; json: boolean }>): void => {
  const figures = measureValidation(plan.milliseconds)
  console.log(plan.json ? JSON.stringify({ validation: figures }) : validationText(figures))
}
