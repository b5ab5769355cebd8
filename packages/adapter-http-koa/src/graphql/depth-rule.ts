import type {
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
  ValidationRule,
} from 'graphql'
import { GraphQLError, Kind } from 'graphql'

/**
 * Counts levels of fields. Each fragment is counted once, however often it is spread: fragments that spread
 * fragments would multiply the work with every one of them.
 */
const levelCounter = (context: ValidationContext): ((set: SelectionSetNode) => number) => {
  const counted = new Map<string, number>()
  const inFragment = (name: string): number => {
    const known = counted.get(name)
    if (known !== undefined) return known
    // Holds while the fragment is being counted, so that a cycle ends; a rule of graphql-js refuses cycles.
    counted.set(name, 0)
    const fragment = context.getFragment(name)
    const levels = fragment ? inSet(fragment.selectionSet) : 0
    counted.set(name, levels)
    return levels
  }
  const below = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return inFragment(selection.name.value)
    const inside = selection.selectionSet === undefined ? 0 : inSet(selection.selectionSet)
    return selection.kind === Kind.FIELD ? inside + 1 : inside
  }
  const inSet = ({ selections }: SelectionSetNode): number => Math.max(0, ...selections.map(below))
  return inSet
}

/** Refuses operations whose fields are nested deeper than `most` levels, in time linear in the document. */
export const depthRule =
  (most: number): ValidationRule =>
  (context) => {
    const levelsIn = levelCounter(context)
    return {
      OperationDefinition(operation: OperationDefinitionNode) {
        if (levelsIn(operation.selectionSet) > most)
          context.reportError(
            new GraphQLError(`The operation is nested deeper than ${most} levels.`, { nodes: operation }),
          )
      },
    }
  }
