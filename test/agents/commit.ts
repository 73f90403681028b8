/** Writes a file with its own name in it, and commits it. */
export function commit(file: string): { readonly shell: string } {
  return { shell: `echo ${file} > ${file} && git add ${file} && git commit -q -m "Add ${file}"` }
}
