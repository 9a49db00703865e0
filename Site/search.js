// What the search is asked. Material's takes each word as the beginning of one, so that "a" and "to" find every page, and
// "containers" does not find "container". Here the words that say nothing are left out, and the others lose their endings.
// The pages have one word for one thing; what users say for it is found, too.
const SILENT = new Set(("a about after all already am an and any anyone are as at be been before but by can could did do does " +
  "for from get got had has have how i if in into is it its just me my no not of on only or other our should so some " +
  "someone than that the their them then there they this to too us was we were what when where which while who why will " +
  "with would you your").split(" "));
const SAID = [
  [/\b(?:sign(?:ed)?|log) (?:in|off)\b|\blogins?\b|\bforg[eo]t|\blos[et]\b.*\bsession/, "logged out user"],
  [/\btwice\b|\bduplicate/, "counted new"],
  [/\bundo|\brevert|\b(?:take|bring|go|put)\b.*\bback\b/, "roll rollback"],
  [/\bdied\b|\bkilled\b|\bbattery\b|\breboot|\bout of power\b/, "crash power interrupted recover"],
  [/\banonymi[sz]e|\bhide\b|\bgdpr\b|\be-?mail|\bsensitive\b/, "mask personal data"],
  [/\bjira\b|\bzendesk\b|\bbug report\b/, "ticket report"],
  [/\bi?phones?\b|\bipads?\b/, "device"],
  [/\b(?:exit|return|error) codes?\b/, "exit status"],
  [/\bpull requests?\b|\bpipeline\b|\bgithub\b|\bjenkins\b|\bgitlab\b/, "ci build fail"],
  [/\banswers?\b|\bchoices?\b/, "decision decide policy"],
  [/\bspm\b|\bcocoapods\b|\bdependenc/, "package product"],
  [/\bapp store\b|\bin production\b|\breleased\b/, "shipped"],
  [/\bcast\b|\bparse\b|\btransform/, "convert step"],
  [/\bcustomers?\b/, "user"],
  [/\bdelet|\bclean up\b|\bget rid\b/, "remove cleanup"],
  [/\bold\b/, "legacy"],
  [/\bgenerat|\bcreate\b/, "draft new"],
  [/\bonly if\b|\bunless\b|\bdepend(?:s|ing) on\b|\boptional\b/, "condition"],
  [/\bwildcard|\bregex|\bpattern/, "glob prefix each"],
];
// A finding's code is one word, but to the search, a hyphen separates.
const code = /^[a-z\d]+\.[a-z\d-]+$/;
const beginning = (word) => /^[a-z]{5,}$/.test(word)
  ? word.replace(/(?<=...)(?:ions?|ing|ed|es|s|e)$/, "").replace(/([bdgmnprt])\1$/, "$1") : word;

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  const asks = message?.type === 2 && !/["+^~*]/.test(message.data);
  if (asks) {
    const asked = message.data.toLowerCase();
    const words = asked.split(/\s+/)
      .map((word) => code.test(word) ? word.replaceAll("-", "*") : word.replace(/^-+|\/\d+$/g, ""))
      .filter((word) => word && !SILENT.has(word));
    for (const [said, meant] of SAID) if (said.test(asked)) words.push(...meant.split(" "));
    if (words.length) message = { ...message, data: [...new Set(words.map(beginning))].join(" ") };
  }
  return post.call(this, message, ...rest);
};
