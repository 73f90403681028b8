/** Folders that tools fill and that repositories normally ignore: dependencies and caches, never anyone's work. */
export const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.pnpm-store',
  '.venv',
  'venv',
  '__pycache__',
  '__pypackages__',
  '.tox',
  '.nox',
  '.eggs',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.gradle',
  '.bundle',
  '.terraform',
  '.nyc_output',
  '.turbo',
  '.parcel-cache',
])

/**
 * Folders of built files, reports and copies of other projects. Some repositories commit them, and below `src` their
 * names are ordinary words, so only one that is new to a repository is worth a question.
 */
const GENERATED_FOLDERS: ReadonlySet<string> = new Set([
  'vendor',
  'third_party',
  'Pods',
  'target',
  'dist',
  'build',
  'out',
  'coverage',
  'htmlcov',
  'DerivedData',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.angular',
  '.cache',
  '.dart_tool',
])

/** The first such folder on a file's path, with the path up to it. Undefined if there is none. */
export function dependencyFolderOf(path: string): string | undefined {
  const names = path.split('/').slice(0, -1)
  const at = names.findIndex((name) => DEPENDENCY_FOLDERS.has(name))
  return at === -1 ? undefined : names.slice(0, at + 1).join('/')
}

/** The first folder of built or copied files on a file's path, with the path up to it. Undefined if there is none. */
export function generatedFolderOf(path: string): string | undefined {
  const names = path.split('/').slice(0, -1)
  const at = names.findIndex((name) => name === 'src' || GENERATED_FOLDERS.has(name))
  return at === -1 || names[at] === 'src' ? undefined : names.slice(0, at + 1).join('/')
}
