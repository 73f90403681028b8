/** The rules by which OpenCode asks: later ones win over earlier ones. */
export function opencodePermission(permissions: 'ask' | 'bypass'): Readonly<Record<string, string>> {
  if (permissions === 'bypass') return { '*': 'allow', question: 'deny' }
  return {
    '*': 'ask',
    read: 'allow',
    list: 'allow',
    glob: 'allow',
    grep: 'allow',
    lsp: 'allow',
    edit: 'allow',
    task: 'allow',
    skill: 'allow',
    todoread: 'allow',
    todowrite: 'allow',
    'muster_*': 'allow',
    bash: 'ask',
    webfetch: 'ask',
    websearch: 'ask',
    external_directory: 'ask',
    doom_loop: 'ask',
    question: 'deny',
  }
}
