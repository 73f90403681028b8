/** Planners and reviewers look and answer: nothing that they would change in a tree is wanted. */
export function onlyReads(role: string): boolean {
  return role === 'planner' || role === 'reviewer'
}
