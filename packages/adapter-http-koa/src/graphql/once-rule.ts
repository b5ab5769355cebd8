import type {
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
  ValidationRule,
} from 'graphql'
import { GraphQLError, Kind } from 'graphql'

/**
 * Counts how often a field is named, under whatever alias, where fragments are spread too. Each fragment is looked at once,
 * so that fragments that spread fragments do not multiply the work.
 */
const timesCounter = (
  field: string,
  context: ValidationContext,
): ((set: SelectionSetNode | undefined) => number) => {
  const counted = new Map<string, number>()
  const inFragment = (name: string): number => {
    const known = counted.get(name)
    if (known !== undefined) return known
    // Holds while the fragment is being counted, so that a cycle ends; a rule of graphql-js refuses cycles.
    counted.set(name, 0)
    const times = inSet(context.getFragment(name)?.selectionSet)
    counted.set(name, times)
    return times
  }
  const within = (selection: SelectionNode): number => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return inFragment(selection.name.value)
    const own = selection.kind === Kind.FIELD && selection.name.value === field ? 1 : 0
    return own + inSet(selection.selectionSet)
  }
  const inSet = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((times, selection) => times + within(selection), 0)
  return inSet
}

/**
 * Refuses operations that name a field more than once. One request runs one operation, and must not try or issue many
 * credentials: limits count requests.
 */
export const onceRule =
  (field: string): ValidationRule =>
  (context) => {
    const timesIn = timesCounter(field, context)
    return {
      OperationDefinition(operation: OperationDefinitionNode) {
        if (timesIn(operation.selectionSet) > 1)
          context.reportError(
            new GraphQLError(`An operation may ask for ${field} only once.`, { nodes: operation }),
          )
      },
    }
  }
