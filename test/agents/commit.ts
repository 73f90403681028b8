/** A step that writes a file's name into the file and commits it. */
export function commit(file: string): { readonly shell: string } {
  return { shell: `echo ${file} > ${file} && git add ${file} && git commit -q -m "Add ${file}"` }
}
