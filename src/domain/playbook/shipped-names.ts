/** The playbooks that come with Muster. A playbook of the same name in a repository takes the place of one of these. */
export const SHIPPED_PLAYBOOKS: readonly string[] = [
  ...['architecture', 'best-of', 'development', 'research', 'review', 'reviewed', 'solo', 'tdd'],
]
