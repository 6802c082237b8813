// The types of files that the build puts into the script as text.
declare module '*.css' {
  const text: string;
  export default text;
}
