import {
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql'

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
