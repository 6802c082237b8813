var lo=Object.defineProperty;var i=(t,e)=>lo(t,"name",{value:e,configurable:!0});var gt;function y(){return gt??=Date.now()-performance.now(),gt+performance.now()}i(y,"now");var bt=2147483647;function yt(t,e){
return new Promise(n=>{let r=e<=bt?setTimeout(n,e):void 0,o=i(()=>{clearTimeout(r),n()},"over");t.then(o,o)})}i(yt,"with\
in");var ne=class{static{i(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,y()<
this.at?this.arm():e()}}set(e){this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===
e)return;this.held=e;let n=this.timer;e?n?.ref?.():n?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.
timer=void 0}arm(){this.timer=setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-y()),1),bt)),this.held||this.timer.
unref?.()}};var wt=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Rn=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],Tn=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],z=80,Fe=500,De=300,kt=80;function Pn(t,e){return t.some(([n,r])=>n<=e&&e<=r)}i(Pn,"isIn");var At;function mo(){let t=Tn.map(([r])=>r),n=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!t.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${n}(?: ${n})*$`)}i(mo,"plainWords");function E(t,e=kt){if(At??=mo(),t.length<=e&&At.test(
t))return t;let n="",r=0,o=!1;for(let s of t){let a=s.codePointAt(0);if(Pn(Rn,a))continue;if(Pn(wt,a)){o=r>0;continue}let u=r+
(o?2:1);if(u>e)return`${n}…`;let d=a>=55296&&a<=57343?"�":Tn.find(([c])=>c===s)?.[1]??s;n+=o?` ${d}`:d,o=!1,r=u}return n}
i(E,"quoted");function Ke(t){let e="";for(let n of JSON.stringify(t)){let r=n.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!Pn(Rn,
r);e+=o?n:po(n)}return e}i(Ke,"jsonForModel");function po(t){return Array.from({length:t.length},(e,n)=>`\\u${t.charCodeAt(
n).toString(16).padStart(4,"0")}`).join("")}i(po,"escaped");var St=!1;function jn(t){St=t}i(jn,"withinCore");function ke(t){try{for(let e=t,n=0;e instanceof Error&&n<8;e=e.cause,n+=
1)e.stack}catch{}}i(ke,"letStackGo");var w=class extends Error{static{i(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,n,r={},o){
super(n,o),this.code=e,this.details=r,St&&ke(this)}};var xt=new WeakMap;function Be(t,e){return e!==t.message&&xt.set(t,e),t}i(Be,"tellingModels");function Ue(t){return xt.get(
t)??S(t)}i(Ue,"toldOf");function b(t,e,n){let r=`${t} must be ${e}, got ${k(n)}`;return new w("invalid_argument",r,{argument:t.
replaceAll("`",""),expected:e})}i(b,"invalid");function k(t){return typeof t=="string"?t.length>40?`a string of ${t.length}\
 characters`:Ke(t):t==null||typeof t=="number"||typeof t=="boolean"?String(t):typeof t=="object"?ho(t)?"a list":"an obje\
ct":`a ${typeof t}`}i(k,"describe");function ho(t){try{return Array.isArray(t)}catch{return!1}}i(ho,"isList");function S(t){
try{if(typeof t=="string")return t;if(t instanceof Error)return String(t.message)||String(t.name)||"an error without a m\
essage";if(typeof t=="object"&&t!==null&&typeof t.message=="string")return t.message}catch{}return`threw ${k(t)}`}i(S,"m\
essageOf");var We=class{static{i(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,n){
this.core=e,this.memory=n}write(e,n=0){let r=n+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,n===0?this.view:this.view.subarray(n)).written}writeAll(e){let n=3*e.reduce((o,s)=>o+te(s),0);
(this.view.length<n||this.view.length===0)&&this.grow(n);let r=0;return e.map(o=>{if(o===void 0)return 4294967295;let s=this.
write(o,r);return r+=s,s})}writeEnd(e){let{output:n,error:r,hostStatus:o,hostTaskId:s,artifactsJson:a,valueJson:u}=e,d=n.
length+te(r)+te(o)+te(s)+te(a)+te(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let c={output:this.write(
n),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},f=c.output;return r!==void 0&&
(f+=c.error=this.write(r,f)),o!==void 0&&(f+=c.status=this.write(o,f)),s!==void 0&&(f+=c.id=this.write(s,f)),a!==void 0&&
(f+=c.artifacts=this.write(a,f)),u!==void 0&&(c.value=this.write(u,f)),c}read(e,n){return n===0?"":this.decoder.decode(new Uint8Array(
this.memory.buffer,e,n))}memoryView(){return this.whole.length===0&&(this.whole=new Uint8Array(this.memory.buffer)),this.
whole}copy(e,n){return new Uint8Array(this.memory.buffer,e,n).slice()}get memoryBytes(){return this.memory.buffer.byteLength}letGo(){
this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.memory={buffer:new ArrayBuffer(0)}}grow(e){
let n=Math.max(e,4096),r=this.core.scratch(n);this.view=new Uint8Array(this.memory.buffer,r,n)}};function te(t){return t===
void 0?0:t.length}i(te,"lengthOf");var vt=new WeakMap,Je=class t{static{i(this,"ForeignSignal")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}static tamed(e,n){
if(go(e))return e;let r=vt.get(e);return r===void 0&&(r=new t(e,n),vt.set(e,r)),r}get aborted(){return this.#t(()=>this.#e.
aborted===!0)}get reason(){try{return this.#e.reason}catch(e){return e}}addEventListener(...e){this.#t(()=>this.#e.addEventListener(
...e))}removeEventListener(...e){this.#t(()=>this.#e.removeEventListener(...e))}#t(e){try{return e()}catch(n){throw this.#n(
n)}}};function go(t){let{prototype:e}=AbortSignal,{addEventListener:n,removeEventListener:r}=t;return Object.getPrototypeOf(
t)===e&&n===e.addEventListener&&r===e.removeEventListener}i(go,"isPlatforms");function Rt(t,e){let n=Ot(t);if(n.length>40)return;let r,o=Number.POSITIVE_INFINITY;for(let s of e){let a=bo(n,Ot(s));a>=
o||(o=a,r=s)}return r}i(Rt,"nearestOf");function Ot(t){return t.toLowerCase().replaceAll(/[_-]/g,"")}i(Ot,"plain");function bo(t,e){
let[n,r]=t.length<e.length?[t,e]:[e,t],o=yo(t,e);return o<=Math.min(3,Math.floor(r.length/3))?o:n.length>=3&&r.startsWith(
n)?40+o:Number.POSITIVE_INFINITY}i(bo,"distanceOf");function yo(t,e){let n=[],r=Array.from({length:e.length+1},(o,s)=>s);
for(let o=1;o<=t.length;o+=1){let s=[o];for(let a=1;a<=e.length;a+=1){let u=t[o-1]===e[a-1],d=Math.min((r[a]??0)+1,(s[a-
1]??0)+1,(r[a-1]??0)+(u?0:1));o>1&&t[o-1]===e[a-2]&&t[o-2]===e[a-1]&&(d=Math.min(d,(n[a-2]??0)+1)),s.push(d)}[n,r]=[r,s]}
return r[e.length]??0}i(yo,"editsOf");var Tt=100,Pt=1048576,D=16777216;function O(t,e,n="an object"){return x(t,()=>{if(re(t,e,n),Array.isArray(e))throw b(t,n,
e);let r=Object.create(null);for(let o of jt(e))for(let s of Object.getOwnPropertyNames(o))!(s in r)&&ko(o,s)&&wo(r,s,e[s]);
return r})}i(O,"optionsOf");function wo(t,e,n){Object.defineProperty(t,e,{value:n,enumerable:!0,configurable:!0,writable:!0})}
i(wo,"define");function ko(t,e){let{enumerable:n,get:r}=Object.getOwnPropertyDescriptor(t,e)??{};return n===!0||r!==void 0}
i(ko,"isGiven");function jt(t){let e=[t],n=Object.getPrototypeOf(t);for(;n!==null&&!Ao(n);){if(e.push(n)>Tt)throw new Error(
`it inherits from more than ${Tt} objects`);n=Object.getPrototypeOf(n)}return e}i(jt,"levelsOf");function Ao(t){return t===
Object.prototype||Object.getPrototypeOf(t)===null&&Object.hasOwn(t,"hasOwnProperty")}i(Ao,"isRoot");function _(t,e){return Object.
hasOwn(t,e)||Object.getPrototypeOf(t)!==Object.prototype&&jt(t).some(r=>Object.hasOwn(r,e))?t[e]:void 0}i(_,"propertyOf");
function re(t,e,n="an object"){if(typeof e=="object"&&e!==null)return e;throw b(t,n,e)}i(re,"objectOf");function N(t,e,n,r){
return x(t,()=>{if(!Array.isArray(n))throw b(t,e,n);let{length:o}=n;if(!(o<=Pt))throw b(t,`a list of at most ${Pt} entri\
es`,o);let s=[];for(let a=0;a<o;a+=1){let u=t.endsWith("`")?`${t.slice(0,-1)}[${a}]\``:`${t}[${a}]`;s.push(r(Object.hasOwn(
n,a)?x(u,()=>n[a]):void 0,u))}return s})}i(N,"listOf");function Et(t,e){return N(t,"a list",e,n=>n)}i(Et,"entriesOf");function j(t,e){
if(typeof e!="string")throw b(t,"a string",e);if(e.length>D)throw b(t,`a text of at most ${D} characters`,e);return e}i(
j,"textOf");function oe(t,e){let n=j(t,e);if(En(n))return n;throw b(t,"well-formed text, as `toWellFormed()` makes it",e)}
i(oe,"nameOf");function En(t){return t.isWellFormed?.()??!So.test(t)}i(En,"isWellFormed");var So=/\p{Surrogate}/u;function _t(t,e,n,r=`\
the options of ${t}`){return x(r,()=>{let o=O(r,e),s=Object.keys(o).find(a=>!n.includes(a));if(s!==void 0)throw Ae(t,s,n);
return o})}i(_t,"knownOptions");function J(t,e){return new w("invalid_argument",`${t} say the same: give one`,{argument:e})}i(J,"saidTwice");function Ae(t,e,n){
return Se(`${t} has no option \`${e}\``,e,n,{argument:e})}i(Ae,"unknownOption");function G(t,e,n){let[r]=Object.keys(e);
if(r===void 0)return;let o=`${t}.${r}`;throw Se(`\`${t}\` has no \`${r}\``,r,n,{argument:o},`; it has ${n.join(", ")}`)}
i(G,"noOtherFields");function Ge(t,e,n){return Se(`${t} has no \`${e}\``,e,n,{argument:e},`; it has ${n.join(", ")}`)}i(
Ge,"unknownField");function Se(t,e,n,r,o=""){let s=Rt(e,n);return s===void 0?new w("invalid_argument",t+o,r):new w("inva\
lid_argument",`${t}; did you mean \`${s}\`?`,{...r,suggestion:s})}i(Se,"unknownPart");function x(t,e){try{return e()}catch(n){
throw He(t,n)}}i(x,"readArgument");function He(t,e){return _n(e)?e:new w("invalid_argument",`${t} can't be read: ${S(e)}`,
{argument:t.replaceAll("`","")},{cause:e})}i(He,"unreadable");function _n(t){try{return t instanceof w}catch{return!1}}i(
_n,"isOurs");function Ve(t,e){if(e!==void 0)return x(t,()=>{let{aborted:n,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof n=="boolean"&&typeof r=="function"&&typeof o=="function")return Je.tamed(e,s=>He(t,s));throw b(t,"an AbortS\
ignal",e)})}i(Ve,"signalOf");var xo=100,vo=500,Oo=["completed","cancelled","blocked_on_user"];function Ro({status:t="pending"}){return!Oo.includes(t)}
i(Ro,"isOpenTodo");function It(t){let e=0,n=[],r=N("`todos`","a list of { content, status }",t,(o,s)=>{let{content:a,description:u,
status:d="pending"}=Object(o),c=a??u;if(typeof c!="string")throw b(`the \`content\` or \`description\` of ${s}`,"a strin\
g",c);if(typeof d!="string")throw b(`the \`status\` of ${s}`,"a string",d);return{content:c,status:d}});for(let{content:o,
status:s}of r){let a={content:qe(o,vo),status:qe(s,40)};Ro(a)&&(e+=1),n.length<xo&&n.push(a)}return{open:e,json:JSON.stringify(
n)}}i(It,"readTodos");function Ct(t,{slot:e,generation:n,run:r},{open:o,json:s}){let a=t.write(s);t.act(u=>u.todos(y(),e,
n,r,o,a))}i(Ct,"reportTodos");function xe(t){return t===""?[]:JSON.parse(t)}i(xe,"parseTodos");function qe(t,e){return t.
length<=e?t:Array.from(t.slice(0,e*2)).slice(0,e).join("")}i(qe,"firstChars");function L(t,e){return e===void 0?void 0:j(t,e)}i(L,"string");function V(t,e){return e===void 0?void 0:N(t,"a list of st\
rings",e,(n,r)=>j(r,n))}i(V,"strings");function se(t,e){return e===void 0?void 0:oe(t,e)}i(se,"name");function R(t,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw b(t,"a whole num\
ber of at least 1, or Infinity",e)}}i(R,"count");function In(t,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw b(
t,"a number above 0, or Infinity",e)}}i(In,"amount");function ie(t,e,n=!1){if(e!==void 0){if(n&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw b(t,`milliseconds ${n?"of at least":"above"} 0, or Infinity`,e)}}i(
ie,"duration");function $t(t,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw b(t,"a whol\
e number",e)}}i($t,"integer");function ve(t,e){if(e===void 0)return{};let n=O(`\`${t}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...a}=n;G(t,a,["tokens","costUsd","turns"]);let u={},[d,c,f]=[R(`\`${t}.tokens\
\``,r),In(`\`${t}.costUsd\``,o),R(`\`${t}.turns\``,s)];return d!==void 0&&(u.tokens=d),c!==void 0&&(u.costUsd=c),f!==void 0&&
(u.turns=f),u}i(ve,"readBudget");function q(t){let e=t;return e.isWellFormed?.()===!1?e.toWellFormed?.()??t:t}i(q,"wellFormed");function Mt(t,e){let n=0;
for(let r=0;r<t.length;){let o=t.codePointAt(r);if(n+=o<128?1:o<2048?2:o<65536?3:4,n>e)return t.slice(0,r);r+=o>65535?2:
1}return t}i(Mt,"headOf");var ae=0,To=1,Po=2,jo=3,Eo=4,Ye=5,K=-1;function de(t){if(typeof t!="object"||t===null)return Te(`spawnSubAgent must reso\
lve to { output, status, usage }, it resolved to ${k(t)}`);let e=new Cn(t),{tokens:n,cost:r,turns:o,durationMs:s}=Co(e),
a=e.read("status"),u=e.read("output"),d=Fo(a,e),c=typeof u=="string"?q(u):void 0,f=_o(e),l=c===void 0&&(Oe(u)?d===ae&&f===
void 0:!0);l&&e.wrong("output","a string",u);let{artifacts:m,artifactsJson:p}=No(e),g=Io(e),h=Mo(e);return{how:l&&d===ae?
Ye:d,output:c??"",error:e.told(h),cause:e.cause,hostStatus:typeof a=="string"&&a!=="completed"?$n(a):void 0,hostTaskId:g,
artifacts:m,artifactsJson:p,value:f,valueJson:void 0,tokens:n,cost:r,turns:o,durationMs:s}}i(de,"readResult");var ue=Symbol(
"unreadable"),Cn=class{static{i(this,"Fields")}cause=void 0;#e;#n;constructor(e){this.#e=e}read(e){try{return _(this.#e,
e)}catch(n){return this.#n===void 0&&(this.cause=n),this.drop(`the result's ${e} can't be read: ${S(n)}`),ue}}wrong(e,n,r){
r!==ue&&this.drop(`the result's ${e} must be ${n}, got ${k(r)}`)}drop(e){this.#n??=[],this.#n.push(e)}told(e){return this.#n===
void 0?e:[...e===void 0?[]:[e],...this.#n].join("; ")}};function Oe(t){return t==null}i(Oe,"isAbsent");function _o(t){let e=t.
read("value");return e===ue?void 0:e}i(_o,"madeOf");function Io(t){let e=t.read("taskId");if(!(Oe(e)||e==="")){if(typeof e==
"string")return $n(e);t.wrong("taskId","a string",e)}}i(Io,"hostIdOf");function Co(t){let e=t.read("usage");if(Oe(e))return{
tokens:K,cost:K,turns:K,durationMs:K};let n=Number.NaN;if(typeof e!="object"||e===null||!$o(e))return t.wrong("usage","{\
 tokens, cost, turns }",e),{tokens:n,cost:n,turns:n,durationMs:K};let r=i(o=>{try{return Re(_(e,o))}catch{return n}},"di\
mension");return{tokens:r("tokens"),cost:r("cost"),turns:r("turns"),durationMs:r("durationMs")}}i(Co,"readUsage");function $o(t){
try{return!Array.isArray(t)&&typeof _(t,"then")!="function"}catch{return!1}}i($o,"isUsage");function Mo(t){let e=t.read(
"error");if(!(Oe(e)||e===""||e===ue))return typeof e=="object"&&(t.cause??=e),q($n(S(e)))}i(Mo,"errorOf");function No(t){
let e={artifacts:void 0,artifactsJson:void 0},n=t.read("artifacts");if(Oe(n)||n===ue)return e;let r=[],o=[],s=0,a=i((u,d)=>{
let c=Lo(u);c instanceof Error?t.drop(`${d} was not kept: ${c.message}`):s+c.length>D?t.drop(`${d} was not kept: the art\
ifacts have more than ${D} characters`):(s+=c.length+1,o.push(c),r.push(u))},"keep");try{N("the artifacts","a list",n,(u,d)=>a(
u,d.replace("the ","")))}catch(u){t.drop(S(u))}return o.length===0?e:{artifacts:r,artifactsJson:`[${o.join(",")}]`}}i(No,
"readArtifacts");function Lo(t){try{return JSON.stringify(t)??new Error(`JSON has no ${k(t)}`)}catch(e){return new Error(
S(e))}}i(Lo,"jsonOf");function $n(t){return t.length>D?t.slice(0,D):t}i($n,"cut");function Lt(t,e,n){if(t.how!==ae)return t;
let r=e.check(t.value,n);return r instanceof Promise?r.then(o=>Nt(t,o)):Nt(t,r)}i(Lt,"checkValue");function Nt(t,e){if("\
wrong"in e){let o=[e.wrong,...t.error===void 0?[]:[t.error]].join("; ");return{...t,how:Ye,error:o,value:void 0}}let{value:n,
json:r}=e;return{...t,value:n,valueJson:r,output:t.output||r}}i(Nt,"judged");function Re(t){return t==null?K:typeof t=="\
number"&&t>=0?t:Number.NaN}i(Re,"reading");function Fo(t,e){switch(t){case void 0:case null:case"completed":return ae;case"\
failed":case"error":return To;case"cancelled":case"aborted":return Po;case"timed_out":case"timeout":return jo;default:return typeof t!=
"string"&&e.wrong("status","a string",t),t===ue?Ye:ae}}i(Fo,"statusOf");function Te(t,e){return{how:Ye,output:"",error:t,
cause:e,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,tokens:K,
cost:K,turns:K,durationMs:K}}i(Te,"invalidResult");function ce(){return{...Te(""),how:ae,error:void 0,tokens:0,cost:0,turns:0}}
i(ce,"nothing");function ze(t,e){return{...Te(t,e),how:Eo}}i(ze,"threw");var Do=["tokens","costUsd","contextTokens","message","todos"];function Dt(t,e,n){let r,o=Number.NaN;try{n!==void 0&&(o=Ko(
n));let s=e.agent;if(e.turn!==void 0||s?.asksForTurn===!0)throw new w("invalid_argument","the last beforeTurn has not an\
swered yet");let{gates:a,runs:u}=t;if(a.sub.has("before_turn")||s?.hasInjected===!0)return Ft(e,a.beforeTurn(a.agentOf(e),
()=>u.takeTurn(e,o)));r=u.takeTurn(e,o)}catch(s){return Promise.reject(s)}return e.watch===void 0?r:Ft(e,r)}i(Dt,"before\
Turn");async function Ft(t,e){let n=await e;return n.go&&t.watch?.(t,{turn:n.turn}),n}i(Ft,"watched");function Ko(t){return x(
"the options of beforeTurn",()=>{let{tokens:e}=_t("beforeTurn",t,["tokens"]);return R("`tokens`",e)??Number.NaN})}i(Ko,"\
estimateOf");function Kt(t,e,n){let{tokens:r,costUsd:o,contextTokens:s,message:a,list:u}=x("a report",()=>{let{tokens:m,
costUsd:p,contextTokens:g,message:h,todos:A,...P}=O("a report",n);for(let I of Object.keys(P))throw Ge("a report",I,Do);
return h!==void 0&&j("`message`",h),{tokens:m,costUsd:p,contextTokens:g,message:h,list:A===void 0?void 0:It(A)}});if(t.isClosed)
return;a!==void 0&&t.gates.agentOf(e).say(a);let d=a===void 0?4294967295:t.write(a),{slot:c,generation:f,run:l}=e;t.act(
m=>m.report(y(),c,f,l,Re(r),Re(o),Re(s),d)),u!==void 0&&Ct(t,e,u),a!==void 0&&e.watch?.(e,{message:a})}i(Kt,"reportOn");var Xe=class{static{i(this,"BareRun")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}get taskId(){return this.#n.taskId}get run(){
return this.#n.run}get prompt(){return this.#n.prompt()}get signal(){return this.#n.signal}beforeTurn(e){return Dt(this.#e,
this.#n,e)}report(e){Kt(this.#e,this.#n,e)}};var Bt;function Wt(){return Bt??={capture:Bo(globalThis)},Bt.capture}i(Wt,"capture");function Bo({process:t,AsyncLocalStorage:e,AsyncContext:n}){let r=Ut(Uo(t))??Ut(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let o=n?.Snapshot;if(typeof o=="function")return Nn(()=>{let s=new o;return{runInAsyncScope:i((a,u,...d)=>s.run(
()=>a.apply(u,d)),"runInAsyncScope")}})}i(Bo,"find");function Uo(t){try{return t?.getBuiltinModule?.("async_hooks")}catch{
return}}i(Uo,"builtIn");function Ut(t){let{AsyncResource:e,AsyncLocalStorage:n}=t??{};if(typeof e=="function")return Nn(
()=>new e("SubAgent"));if(typeof n?.snapshot=="function")return Nn(()=>{let r=n.snapshot();return{runInAsyncScope:i((o,s,...a)=>r(
()=>o.apply(s,a)),"runInAsyncScope")}})}i(Ut,"captureOf");function Nn(t){try{return t().runInAsyncScope(()=>!0)?t:void 0}catch{
return}}i(Nn,"tried");function fe(t){let e=Wt()?.();return e===void 0?t:((...n)=>e.runInAsyncScope(t,void 0,...n))}i(fe,
"bound");var Qe=class{static{i(this,"Contexts")}kept=[];generations=[];capture=Wt();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,n){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=n)}enter(e){
let n=this.entered;return this.entered=this.kept[e],n}leave(e){this.entered=e}run(e,n,r){let o=this.generations[e]===n?this.
kept[e]:this.opening;return o===void 0||o===this.entered?r():o.runInAsyncScope(r)}taskForgotten(e,n){this.generations[e]===
n&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var Jt=i(t=>t,"openingCore");function Gt(t,e){if(t.journal=e,e.facts.length===0){t.call(n=>n.listen(!0));return}t.ask(n=>Jt(
n).reopen(y(),e.facts)),queueMicrotask(()=>{t.unasked(n=>n.goOn()),t.isClosed||t.hosts.keepAwake(),t.runs.batchOver()})}
i(Gt,"keepJournal");function Ht(t,e){return(t.journal?.facts.length??0)>0?t.call(r=>Jt(r).sessionNamed(e)):-1}i(Ht,"sess\
ionOfBefore");var Fn=16384,Vt=32;function qt(t,e){if(e===void 0)return;if(typeof e!="object"||e===null||Array.isArray(e))throw Ze(t,"a\
 plain object of JSON values",e);return Dn(e,t,0,{left:Fn})}i(qt,"readMetadata");function Yt(t){return t===null?null:JSON.
parse(t)}i(Yt,"metadataOf");function Ze(t,e,n){return b(`\`${t}\``,e,n)}i(Ze,"wrong");function Dn(t,e,n,r){if(typeof t==
"string"||typeof t=="boolean"||t===null)return Ln(JSON.stringify(t),r);if(typeof t=="number"){if(!Number.isFinite(t))throw Ze(
e,"a number that JSON has",t);return Ln(JSON.stringify(t),r)}if(typeof t!="object")throw Ze(e,"a value that JSON has",t);
if(n>=Vt)throw new w("invalid_argument",`\`${e}\` nests deeper than ${Vt} levels`,{argument:e});if(r.left-=2,Array.isArray(
t)){let a=[];for(let u=0;u<t.length;u+=1){if(!Object.hasOwn(t,u))throw Ze(`${e}[${u}]`,"a value that JSON has",void 0);a.
push(Dn(t[u],`${e}[${u}]`,n+1,r))}return`[${a.join(",")}]`}let o=Object.getPrototypeOf(t);if(o!==null&&Object.getPrototypeOf(
o)!==null)throw new w("invalid_argument",`\`${e}\` must be a plain object of JSON values, got ${k(t)} of a class`,{argument:e});
let s=[];for(let a of Object.keys(t)){let u=t[a];if(u===void 0)continue;let d=Ln(JSON.stringify(a),r);s.push(`${d}:${Dn(
u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,n+1,r)}`)}return`{${s.join(",")}}`}i(Dn,"jsonOf");function Ln(t,e){if(e.
left-=t.length+1,e.left>=0)return t;let n=`\`metadata\` must have at most ${Fn} characters of JSON: keep what is larger \
yourself, under the sub-agent's id`;throw new w("invalid_argument",n,{argument:"metadata",limit:Fn})}i(Ln,"spent");var Y=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],v=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],en=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var zt=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],Xt=["inject","\
force_turn","block","finish"],Kn=["adopt","wait","cancel"];function nn(t,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:n,backoffMs:r,on:o,...s}=O(`\`${t}\``,e);G(t,s,["m\
ax","backoffMs","on"]);let a=R(`\`${t}.max\``,n);if(a===void 0)throw b(`\`${t}.max\``,"a whole number of at least 1, or \
Infinity",n);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw b(`\`${t}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==void 0){let d=`a list of ${en.join(", ")}`;if(u.on=
N(`\`${t}.on\``,d,o,(c,f)=>{if(!en.includes(c))throw b(f,`one of ${en.join(", ")}`,c);return c}),u.on.length===0)throw b(
`\`${t}.on\``,d,o)}return u}i(nn,"readRetry");var Wo=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),Bn={string:i(t=>typeof t=="string","string"),number:i(t=>typeof t=="number","number"),
integer:i(t=>Number.isInteger(t),"integer"),boolean:i(t=>typeof t=="boolean","boolean"),null:i(t=>t===null,"null"),array:i(
t=>Array.isArray(t),"array"),object:C};function Zt(t){return new Gn(t).read(t,"")}i(Zt,"readJsonSchema");var Gn=class{static{
i(this,"Reader")}#e;#n=new Map;constructor(e){this.#e=e}read(e,n){if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} mu\
st not be there`;if(!C(e))throw $(n,`must be an object or a boolean, got ${k(e)}`);let r=this.#n.get(e);if(r!==void 0)return r;
let o=[],s=i((a,u)=>{for(let d of o){let c=d(a,u);if(c!==void 0)return c}},"check");this.#n.set(e,s);for(let a of Object.
keys(e)){if(Wo.has(a))continue;let u=Object.hasOwn(Hn,a)?Hn[a]:void 0;if(u===void 0)throw $(n,`has \`${a}\`, which is not\
 checked here; it may have ${Ho}`);o.push(u({reader:this,schema:e,place:`${n}/${a}`,given:e[a]}))}return s}find(e,n){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw $(n,`refers to ${k(e)}; only references within the schema are read`);let r=this.#e;
for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").replaceAll("~0","~");r=C(r)&&Object.hasOwn(r,s)?r[s]:void 0}
if(r===void 0)throw $(n,`refers to ${k(e)}, which is not there`);return r}};function $(t,e){let n=t===""?"`schema`":`\`sc\
hema\` at ${t}`;return new w("invalid_argument",`${n} ${e}`,{argument:"schema"})}i($,"refused");function C(t){return typeof t==
"object"&&t!==null&&!Array.isArray(t)}i(C,"isObject");function F({given:t,place:e},n=Number.NEGATIVE_INFINITY){if(typeof t==
"number"&&t>=n)return t;throw $(e,`must be a number${n===0?" of at least 0":""}, got ${k(t)}`)}i(F,"number");function Pe({
given:t,place:e}){if(Array.isArray(t)&&t.length>0)return t;throw $(e,`must be a list that is not empty, got ${k(t)}`)}i(
Pe,"list");function Jo({given:t,place:e}){if(C(t))return t;throw $(e,`must be an object, got ${k(t)}`)}i(Jo,"object");var je=i(
(t,e)=>(n,r)=>typeof n=="number"&&!t(n)?`${r} must be ${e}`:void 0,"ofNumbers"),Un=i((t,e)=>(n,r)=>typeof n=="string"&&!t(
n)?`${r} must have ${e}`:void 0,"ofTexts"),Wn=i((t,e)=>(n,r)=>Array.isArray(n)&&!t(n)?`${r} must have ${e}`:void 0,"ofLi\
sts");function Ee(t,e){if(Object.is(t,e)||t===e)return!0;if(Array.isArray(t)&&Array.isArray(e))return t.length===e.length&&
t.every((o,s)=>Ee(o,e[s]));if(!C(t)||!C(e))return!1;let[n,r]=[Object.keys(t),Object.keys(e)];return n.length===r.length&&
n.every(o=>Object.hasOwn(e,o)&&Ee(t[o],e[o]))}i(Ee,"same");var Qt=i(t=>[...t].length,"points"),Jn=i((t,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${t}.${e}`:`${t}[${JSON.stringify(e)}]`,"field"),Hn={type({given:t,place:e}){let n=Array.isArray(t)?t:[t],r=n.map(
s=>typeof s=="string"&&Object.hasOwn(Bn,s)?Bn[s]:void 0);if(r.length===0||r.includes(void 0))throw $(e,`must be ${Object.
keys(Bn).join(", ")}, or a list of these; got ${k(t)}`);let o=n.join(" or ");return(s,a)=>r.some(u=>u?.(s))?void 0:`${a}\
 must be of the type ${o}, got ${k(s)}`},enum(t){let e=Pe(t);return(n,r)=>e.some(o=>Ee(o,n))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:t}){return(e,n)=>Ee(t,e)?void 0:`${n} must be ${JSON.stringify(t)}`},properties(t){
let e=Object.entries(Jo(t)).map(([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{if(C(n))for(let[o,s]of e){
let a=Object.hasOwn(n,o)?s(n[o],Jn(r,o)):void 0;if(a!==void 0)return a}}},required({given:t,place:e}){if(!Array.isArray(
t)||!t.every(r=>typeof r=="string"))throw $(e,"must be a list of names");let n=t;return(r,o)=>{let s=C(r)?n.find(a=>!Object.
hasOwn(r,a)):void 0;return s===void 0?void 0:`${Jn(o,s)} is missing`}},additionalProperties({reader:t,schema:e,given:n,place:r}){
let o=new Set(C(e.properties)?Object.keys(e.properties):[]),s=t.read(n,r);return(a,u)=>{if(C(a))for(let d of Object.keys(
a)){let c=o.has(d)?void 0:s(a[d],Jn(u,d));if(c!==void 0)return c}}},minProperties:i(t=>{let e=F(t,0);return(n,r)=>C(n)&&
Object.keys(n).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:i(t=>{let e=F(t,0);
return(n,r)=>C(n)&&Object.keys(n).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:t,
schema:e,given:n,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=t.read(n,r);return(a,u)=>{if(Array.
isArray(a))for(let d=o;d<a.length;d+=1){let c=s(a[d],`${u}[${d}]`);if(c!==void 0)return c}}},prefixItems(t){let e=Pe(t).
map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{if(Array.isArray(n))for(let[o,s]of e.entries()){let a=o<n.length?
s(n[o],`${r}[${o}]`):void 0;if(a!==void 0)return a}}},minItems:i(t=>{let e=F(t,0);return Wn(n=>n.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:i(t=>{let e=F(t,0);return Wn(n=>n.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(
({given:t})=>Wn(e=>t!==!0||e.every((n,r)=>!e.slice(0,r).some(o=>Ee(n,o))),"no entry twice"),"uniqueItems"),minimum:i(t=>{
let e=F(t);return je(n=>n>=e,`at least ${e}`)},"minimum"),maximum:i(t=>{let e=F(t);return je(n=>n<=e,`at most ${e}`)},"m\
aximum"),exclusiveMinimum:i(t=>{let e=F(t);return je(n=>n>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(t=>{
let e=F(t);return je(n=>n<e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:i(t=>{let e=F(t);if(e<=0)throw $(t.place,"\
must be above 0");return je(i(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(
t=>{let e=F(t,0);return Un(n=>Qt(n)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(t=>{let e=F(t,0);return Un(
n=>Qt(n)<=e,`at most ${e} characters`)},"maxLength"),pattern({given:t,place:e}){let n;try{n=new RegExp(t,"u")}catch(r){throw $(
e,`is no regular expression: ${r.message}`)}return Un(r=>n.test(r),`the pattern ${n.source}`)},allOf(t){let e=Pe(t).map(
(n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>e.reduce((o,s)=>o??s(n,r),void 0)},anyOf(t){let e=Pe(t).map((n,r)=>t.
reader.read(n,`${t.place}/${r}`));return(n,r)=>{let o=e.map(s=>s(n,r));return o.includes(void 0)?void 0:`${r} fits none \
of the alternatives: ${o.join("; ")}`}},oneOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{
let o=e.map(a=>a(n,r)),s=o.filter(a=>a===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r}\
 fits none of the alternatives: ${o.join("; ")}`}},not({reader:t,given:e,place:n}){let r=t.read(e,n);return(o,s)=>r(o,s)===
void 0?`${s} must not be as it is`:void 0},$ref({reader:t,given:e,place:n}){if(typeof e!="string")throw $(n,`must be a t\
ext, got ${k(e)}`);return t.read(t.find(e,n),e)}},Go=Object.keys(Hn),Ho=Go.join(", ");function er(t){if(t===void 0)return;if((typeof t=="object"&&t!==null||typeof t=="function")&&"~standard"in t)return Vo(t);
if(typeof t!="object"||t===null||Array.isArray(t))throw b("`schema`","a Standard Schema or a JSON Schema object",t);let n=Zt(
t);return{schema:t,check(r,o){if(r===void 0)return nr;let s=tr(r,o);if("wrong"in s)return s;let a=JSON.parse(s.json);try{
let u=n(a,"value");return u===void 0?{value:a,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${S(u)}`}}}}}
i(er,"readSchema");var nr={wrong:"the result has no `value`, and its `schema` asks for one"};function Vo(t){let e=t["~st\
andard"],{validate:n}=typeof e=="object"&&e!==null?e:{};if(typeof n!="function")throw b("`schema`","a Standard Schema wi\
th `validate`",t);return{schema:t,check(r,o){if(r===void 0)return nr;let s=i(u=>({wrong:`the schema failed: ${S(u)}`}),"\
failed"),a=i(u=>{try{return qo(u,o)}catch(d){return s(d)}},"judge");try{let u=n(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,s):a(u)}catch(u){return s(u)}}}}i(Vo,"readStandard");function qo(t,e){
if(typeof t!="object"||t===null)return{wrong:`the schema failed: it answered ${k(t)}`};if(t.issues!==void 0)return{wrong:t.
issues.map(Yo).join("; ")||"the schema refused the value"};let n=tr(t.value,e);return"wrong"in n?n:{value:t.value,json:n.
json}}i(qo,"judged");function Yo({message:t,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${t}`}i(Yo,"sayIssue");function tr(t,e){let n;try{n=JSON.stringify(t)}catch(o){
return{wrong:`value is no JSON: ${S(o)}`}}if(n===void 0)return{wrong:`value is no JSON: ${k(t)}`};let r=n.length*3<=e?n.
length:new TextEncoder().encode(n).length;return r>e?{wrong:`value has ${r} bytes as JSON, and \`maxResultBytes\` allows ${e}`}:
{json:n}}i(tr,"store");function rn(t){return t.staged??=dr(tn),t.staged}i(rn,"stagedBy");var zo=["instructions","goal","message","task","taskDe\
scription","task_description"],tn={label:void 0,contextHint:void 0,tools:void 0,systemPrompt:void 0,maxTurns:void 0,maxSteps:void 0,
timeoutMs:void 0,idleTimeoutMs:void 0,turnEstimate:void 0,priority:void 0,modelId:void 0,agent:void 0,agentId:void 0,profile:void 0,
promptProfile:void 0,rateLimitKey:void 0,idempotencyKey:void 0,origin:void 0,format:void 0,nickname:void 0,onParentEnd:void 0,
retry:void 0,metadata:void 0},rr=new Set(Object.keys(tn)),or=new Set(["instructions","goal","message","task","taskDescri\
ption","task_description","maxCost","budget","signal","schema"]);function _e(t,e,n=!1){try{return Xo(t,e,n)}catch(r){throw He(
"the options of spawn",r)}}i(_e,"readSpawn");function Xo(t,e,n){let o=typeof t=="object"&&t!==null&&Object.getPrototypeOf(
t)===Object.prototype?t:O("the options of spawn",t),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.
NaN,cost:Number.NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},a,u=!1;for(let d of Object.
getOwnPropertyNames(o))if(d==="instructions")s.text=ur(o,d,s.text);else if(rr.has(d))a??={...tn},a[d]=o[d];else if(d==="\
background"){let{background:c}=o;if(c!==void 0&&typeof c!="boolean")throw b("`background`","a boolean",c);s.background=c===
!0,u=c!==void 0}else if(or.has(d))es(s,o,d);else if(Object.prototype.propertyIsEnumerable.call(o,d))throw Ae("spawn",d,[
...rr,...or,"background"]);if(Number.isNaN(s.cost)||(s.asked=sr(s,o)),a!==void 0||n&&!Number.isNaN(s.cost)){if(s.staged=
dr(a??tn),s.asked=sr(s,o),n&&Qo(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=Zo(s)),e?.agents.fill(
s,s.staged,u),s.staged.onParentEnd!==void 0&&!s.background)throw new w("invalid_argument","`onParentEnd` is for `backgro\
und: true`: others end with their caller",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.
profile)}return s}i(Xo,"read");function sr({staged:t,cost:e},n){return{tools:t?.tools,maxTurns:Object.hasOwn(n,"maxTurns")?
t?.maxTurns:void 0,maxCost:Object.hasOwn(n,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(sr,"askedOf");function Qo(t,e){e.wishedTurns=
e.maxTurns,e.maxTurns=void 0,!Number.isNaN(t.cost)&&(e.wishedCost=t.cost,t.cost=Number.NaN)}i(Qo,"wish");function Zo({signal:t,
renamed:e,schema:n,asked:r,staged:o,...s}){let{idempotencyKey:a,metadata:u,...d}=o;return JSON.stringify({...s,...d},(c,f)=>typeof f==
"number"?`${f}`:f)}i(Zo,"parametersOf");function ur(t,e,n){let r=t[e];if(r===void 0)return n;let o=j(`\`${e}\``,r),s=i(a=>new w(
"invalid_argument",`\`${e}\` ${a}`,{argument:e}),"wrong");if(n!==void 0)throw s(`says the same as another option: give o\
ne of ${zo.join(", ")}`);if(o.trim()==="")throw s("must not be empty");return q(o)}i(ur,"readText");function es(t,e,n){switch(n){case"\
maxCost":{let r=In("`maxCost`",e.maxCost);r!==void 0&&(t.cost=ir(t.cost,r,"maxCost"));return}case"budget":{let r=ve("bud\
get",e.budget);r.tokens!==void 0&&(t.tokens=r.tokens),r.costUsd!==void 0&&(t.cost=ir(t.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(t.turns=r.turns);return}case"schema":{t.schema=er(e.schema);return}case"signal":{t.signal=Ve("`signal\
`",e.signal);return}default:{let r=ur(e,n,t.text);t.renamed||=r!==t.text,t.text=r}}}i(es,"readOther");function ir(t,e,n){
if(!Number.isNaN(t))throw J("`maxCost` and `budget.costUsd`",n);return e}i(ir,"only");function dr(t){let{label:e,contextHint:n,
tools:r,systemPrompt:o,maxTurns:s,maxSteps:a,timeoutMs:u,idleTimeoutMs:d,turnEstimate:c,priority:f}=t;if(s!==void 0&&a!==
void 0)throw J("`maxTurns` and `maxSteps`","maxSteps");let l={label:ns(e),contextHint:L("`contextHint`",n),tools:V("`too\
ls`",r),systemPrompt:L("`systemPrompt`",o),maxTurns:R("`maxTurns`",s)??R("`maxSteps`",a),timeoutMs:ie("`timeoutMs`",u),idleTimeoutMs:ie(
"`idleTimeoutMs`",d),turnEstimate:R("`turnEstimate`",c),priority:$t("`priority`",f)};return rs(t)&&Object.assign(l,os(t)),
l}i(dr,"readStaged");function ns(t){let e=L("`label`",t);return e?.trim()===""?void 0:e}i(ns,"labelOf");var ts=["modelId",
"agent","agentId","profile","promptProfile","rateLimitKey","idempotencyKey","origin","nickname","onParentEnd","retry","m\
etadata","format"];function rs(t){return ts.some(e=>t[e]!==void 0)}i(rs,"hasRare");function os(t){let{modelId:e,agent:n,
agentId:r,profile:o,promptProfile:s,rateLimitKey:a,idempotencyKey:u,nickname:d,format:c,onParentEnd:f}=t;if(f!==void 0&&
!Kn.includes(f))throw b("`onParentEnd`",`one of ${Kn.join(", ")}`,f);return{nickname:se("`nickname`",d),onParentEnd:f,retry:nn(
"retry",t.retry),metadata:qt("metadata",t.metadata),modelId:L("`modelId`",e),profile:ar("profile",o,"promptProfile",s),sourceAgentId:ar(
"agent",n,"agentId",r),rateLimitKey:se("`rateLimitKey`",a),idempotencyKey:se("`idempotencyKey`",u),...ss(t.origin),...cr(
c)==="json"&&{json:!0}}}i(os,"readRare");function ar(t,e,n,r){let[o,s]=[se(`\`${t}\``,e??void 0),se(`\`${n}\``,r??void 0)];
if(o!==void 0&&s!==void 0)throw J(`\`${t}\` and \`${n}\``,n);return o??s}i(ar,"either");function ss(t){if(t===void 0)return{};
let e=O("`origin`",t,"an object with channel and chatId"),{channel:n,chatId:r,...o}=e;if(G("origin",o,["channel","chatId"]),
n!==void 0&&(typeof n!="string"||n===""||n.includes(":")))throw b("`origin.channel`","a text without a colon",n);if(r!==
void 0&&(typeof r!="string"||r===""))throw b("`origin.chatId`","a text",r);return{originChannel:L("`origin.channel`",n),
originChatId:L("`origin.chatId`",r)}}i(ss,"originOf");function cr(t){if(t===void 0||t==="text"||t==="json")return t;throw b(
"`format`","'text' or 'json'",t)}i(cr,"formatOf");var fr={description:!0,prompt:!0,model:!0,disallowedTools:!0},le=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[n,r]of Object.entries(O("`agents`",e,"an object of definitions")))this.#e.set(n,x(`\`agents.${n}\``,
()=>is(n,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:n}])=>`- ${e}\
: ${n}`).join(`
`)}checkProfiles(e){for(let{staged:n}of this.#e.values())n.profile!==void 0&&e.check(n.profile)}fill(e,n,r){let{sourceAgentId:o}=n;
if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,c=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new w("unknown_agent",`there is no agent called ${k(o)}; ${c}`,{agent:o,known:d})}let{request:a,staged:u}=s;
Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.cost),Number.isNaN(e.turns)&&(e.turns=a.turns),
r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(u))n[d]===void 0&&(n[d]=u[d])}};function is(t,e){
if(t==="")throw new w("invalid_argument","the name of an agent must not be empty");oe("the name of an agent",t);let n=O(
`\`agents.${t}\``,e),{description:r,prompt:o,model:s,disallowedTools:a}=n;if(typeof r!="string"||r.trim()==="")throw b(`\
\`agents.${t}.description\``,"a text",r);let u=Object.entries(n).filter(([f])=>!Object.hasOwn(fr,f)),d=u.find(([f])=>!lr.
has(f))?.[0];if(d!==void 0)throw Se(`an agent has no \`${d}\`: \`agents.${t}\``,d,[...lr,...Object.keys(fr)],{argument:`\
agents.${t}.${d}`});let c=Object.fromEntries(u);o!==void 0&&(c.systemPrompt=o),s!==void 0&&s!=="inherit"&&(c.modelId=s),
c.agent=t;try{let f=_e(c),l=f.staged;return a!==void 0&&(l.disallowedTools=V("`disallowedTools`",a)),{description:r.trim(),
request:f,staged:l}}catch(f){let{code:l,message:m,details:p}=f;throw new w(l,`agents.${t}: ${m}`,{...p})}}i(is,"read");var lr=new Set(
["tools","maxTurns","background","profile","budget","maxCost","timeoutMs","idleTimeoutMs","turnEstimate","priority","rat\
eLimitKey","contextHint","schema","retry"]);var Ie={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxTurns:20,turnEstimate:2e3,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,abandonMs:6e4,askTimeoutMs:6e5,
maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,ageingMs:1e4,idempotencyTtlMs:864e5,
maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,maxNotices:1e5,maxInjected:32};var mr;function M(t,e){mr??=new Map(Object.keys(Ie).map((r,o)=>[r,o]));let n=mr.get(e);return t.call(r=>r.limit(n))}i(M,
"limitOf");var on={maxSubAgentSteps:"maxTurns"},pr=[...Object.keys(Ie),...Object.keys(on),"budget","totalTokenBudget","taskBudget",
"onLimit"];function us(t){let e=Object.keys(on).filter(n=>on[n]===t);return[t,...e].map(n=>`\`${n}\``).join(", ")}i(us,"\
namesOf");var sn=class{static{i(this,"Bounds")}#e=new Map;#n={};#t;#r;#o;take(e,n){let r=on[e]??e;if(e==="budget")this.#n=
ve(e,n);else if(e==="totalTokenBudget")this.#t=R("`totalTokenBudget`",n);else if(e==="taskBudget")this.#r=ve(e,n);else if(e===
"onLimit"){if(n!=="queue"&&n!=="reject")throw b("`onLimit`","'queue' or 'reject'",n);this.#o=n}else if(Object.hasOwn(Ie,
r))this.#s(e,r,n);else return!1;return!0}#s(e,n,r){if(typeof r!="number")throw b(`\`${e}\``,"a number",r);if(e!==n&&R(`\`${e}\
\``,r),this.#e.has(n))throw new w("invalid_argument",`\`${n}\` and its alias say the same: give one of ${us(n)}`,{argument:e});
this.#e.set(n,r)}apply(e,n={}){let r=this.#n;if(this.#t!==void 0){if(r.tokens!==void 0)throw J("`totalTokenBudget` and `\
budget.tokens`","totalTokenBudget");r={...r,tokens:this.#t}}let o={budget:r,taskBudget:this.#r,onLimit:this.#o},s={...n,
limits:[...this.#e],...o};if(!e.call(a=>a.configure(y(),s)))throw this.#i(e.refusal());e.carryOut(),e.expectSound()}#i(e){
let{code:n,message:r,details:o}=e,s=[...this.#e].find(([a])=>r.startsWith(`\`${a}\``));return s===void 0?e:new w(n,`${r}\
, got ${k(s[1])}`,{...o})}};var Vn="minimal";function ds(t){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...t?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}i(ds,"minimal");var me=class{static{i(this,"Profiles")}#e=new Map([[Vn,(e,n)=>ds(n)]]);constructor(e){if(e!==void 0)for(let[
n,r]of Object.entries(O("`profiles`",e,"an object of functions"))){if(oe("the name of a profile",n),typeof r!="function")
throw b(`\`profiles.${n}\``,"a function that makes a system prompt",r);this.#e.set(n,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let n=[...this.#e.keys()];throw new w("unknown_profile",`there is no profile c\
alled ${k(e)}; there are ${n.join(", ")}`,{profile:e,known:n})}prompt(e,n,r){this.check(e);let o;try{o=this.#e.get(e)?.(
n,r)}catch(s){throw new w("invalid_argument",`the profile ${k(e)} failed: ${S(s)}`,{},{cause:s})}if(typeof o!="string")throw b(
`what the profile ${k(e)} returns`,"a string",o);return o}};function an(t,e,n){let r=i(o=>!e||t.unknown.includes(o)||t.invalid.includes(o)?null:t[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?n:null}}i(an,"figuresOf");function hr(t,e,n){let{actor:r,runtime:o}=t,s=t.policing(),a=t.isMain?void 0:o.lookup.snapshot(r.slot,r.generation),u=a===
void 0?br:an(a.usage,a.startedAt!==null,a.durationMs);return{taskId:a?.taskId??null,status:e,reason:n,partial:!0,output:yr(
o,a?.output??""),error:null,stats:qn(s,{...u,turns:s?.turns??null}),todos:xe(s?.todos??""),recentMessages:[...t.messages]}}
i(hr,"reportOf");function gr(t,e,n,r){let o=n.call(s=>s.policing(r.slot,r.generation));return{taskId:t.taskId,status:t.status,
reason:t.stopReason,partial:t.partial,output:yr(n,cs(t,e,n,r)),error:t.error??null,stats:qn(o,t.figures),todos:xe(o?.todos??
""),recentMessages:[...e?.messages??[]]}}i(gr,"reportOfResult");function pe(t){return Ke(t)}i(pe,"reportText");function un(t,e,n){
return{taskId:t,status:e,reason:null,partial:!1,output:"",error:n,stats:qn(void 0,br),todos:[],recentMessages:[]}}i(un,"\
reportOfNone");var br={tokens:null,costUsd:null,turns:null,durationMs:null};function qn(t,{tokens:e,costUsd:n,turns:r,durationMs:o}){
let{contextTokens:s=null,openTodos:a=0,counts:u=[]}=t??{};return{turns:r,tokens:e,costUsd:n,durationMs:o===null?null:Math.
round(o),contextTokens:s,openTodos:a,counts:Object.fromEntries(u)}}i(qn,"stats");function cs(t,e,n,{slot:r,generation:o}){
let{output:s}=t,a=s===""?null:fs(t,e,n,r,o);if(a===null||a!==s)return s;let u=Yn(a);return u===void 0?s:u.output||(u.recentMessages.
at(-1)??"")}i(cs,"outputOf");function fs(t,e,n,r,o){if(e?.report!==void 0)return e.report;if(n.isClosed||n.call(u=>u.status(
r,o))<0)return null;let{run:s,report:a}=n.lookup.snapshot(r,o);return s===t.run?a:null}i(fs,"madeByPolicy");function Yn(t){
if(t.startsWith('{"taskId":'))try{let{output:e,recentMessages:n,stats:r,status:o}=JSON.parse(t);return typeof o=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(n)?JSON.parse(t):void 0}catch{return}}i(Yn,"readReport");function yr(t,e){
if(e==="")return"";let n=t.write(e);return t.call(r=>r.inline(n))}i(yr,"inlined");var ls=10,ms=500,Ce=class{static{i(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=new Set;stopped=!1;constructor(e,n,r){
this.runtime=e,this.actor=n,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(qe(e,ms)),this.messages.length>ls&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,n){return Object.assign(
new zn(this,e),n)}policing(){let{slot:e,generation:n}=this.actor;return this.runtime.call(r=>r.policing(e,n))}count(e,n,r){
let{slot:o,generation:s,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(y(),o,s,a,u,n,r))}rule(e,{
answer:n,policy:r,text:o,reason:s}){if(this.runtime.isClosed)return!1;let{slot:a,generation:u,run:d}=this.actor;n==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),n==="finish"&&(this.report=o);let c=this.runtime.write(r),f=this.runtime.
write(r+o)-c,[l,m,p]=[zt.indexOf(e),Xt.indexOf(n),v.indexOf(s)];return this.runtime.act(g=>g.rule(y(),a,u,d,l,m,p,c,f))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:n,generation:r,run:o}=this.actor,s=this.isMain?new ne(()=>this.end("overdue")):
void 0;if(this.waiting+=1,s!==void 0){let a=this.runtime.isClosed?0:M(this.runtime,"approvalTimeoutMs");s.hold(!0),a!==Number.
POSITIVE_INFINITY&&s.set(y()+a)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(a=>a.awaitApproval(y(),n,
r,o));return()=>{this.waiting-=1,s?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(a=>a.approved(y(),n,r,o,!1))}}until(e){return this.stopped?Promise.resolve("stopped"):new Promise(n=>{let r=i(
o=>{this.pending.delete(r),n(o)},"end");this.pending.add(r),e.then(o=>r({value:o}),o=>r({error:o}))})}stop(){this.stopped=
!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){for(let n of[...this.pending])n(e)}},zn=class{static{i(this,
"Context")}#e;#n;#t;constructor(e,n){this.#e=e,this.#n=n}get#r(){return this.#t??=this.#e.policing(),this.#t}get agent(){
return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:n}=this.#e.actor;return this.#e.isMain?null:this.#e.
runtime.lookup.taskId(e,n)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){return this.#r?.
turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return xe(this.#r?.todos??"")}get openTodos(){
return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,n={}){let r=this.#e.count(this.#n,
e,n.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,n){return hr(this.#e,e,n)}};var Sr={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},xr=["name","blockedTools",...Object.values(Sr)],wr={before_spawn:[
"inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],before_tool:[
"inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block","finish"],on_timeout:[
"inject","finish"]},he=class{static{i(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,n){let r=new Map,o=new Set;
for(let{policy:s,place:a}of ps(e,n)){let u=hs(s,a),d=(r.get(u)??0)+1;r.set(u,d),this.#n(s,a,d===1?u:`${u}#${d}`);let c=V(
dn(a,"blockedTools"),Xn(s,a,"blockedTools"));for(let f of c??[])o.add(f)}this.blockedTools=[...o]}#n(e,n,r){let o=x(n,()=>gs(
e));if(o!==void 0)throw Ge("a policy",o,xr);for(let[s,a]of Object.entries(Sr)){let u=Xn(e,n,a);if(u===void 0)continue;if(typeof u!=
"function")throw b(dn(n,a),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:i(c=>Reflect.apply(u,e,[c]),"ask")}),
this.#e.set(s,d)}}has(e){return this.#e.has(e)}ask(e,n,r){let o=this.#e.get(e)??[];for(let[s,a]of o.entries()){let u=kr(
a,n,r);if("later"in u)return e!=="before_spawn"?this.#t(e,n,r,s,u.later):(u.later.then(void 0,()=>{}),Qn(e,n,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Ar(e,n,a.name,u);if(d!==void 0)return d}}async#t(e,n,r,o,s){
let a=this.#e.get(e)??[],u=n.wait(e);try{let d=s;for(let c=o;c<a.length;c+=1){let f=a[c],l;if(d===void 0){let p=kr(f,n,r);
l="later"in p?await n.until(p.later):p}else l=await n.until(d),d=void 0;if(l==="stopped")return;let m=Ar(e,n,f.name,l===
"overdue"?{error:new Error("it took too long to answer")}:l);if(m!==void 0)return m}return}finally{u()}}};function ps(t,e){
return e===void 0?[]:N(t,"a list of policies",e,(n,r)=>({policy:re(r,n,"a policy"),place:r}))}i(ps,"policiesOf");function dn(t,e){
return t.endsWith("`")?`${t.slice(0,-1)}.${e}\``:`\`${e}\` of ${t}`}i(dn,"within");function Xn(t,e,n){return x(dn(e,n),()=>_(
t,n))}i(Xn,"partOf");function hs(t,e){let n=Xn(t,e,"name")??"policy";return q(j(dn(e,"name"),n))}i(hs,"nameIn");function gs(t){
let e=Object.getPrototypeOf(t),n=e===null||Object.getPrototypeOf(e)===null;return Object.keys(t).find(r=>!xr.includes(r)&&
(n||/^(before|after|on)[A-Z]/.test(r)))}i(gs,"strangerIn");function kr(t,e,n){try{let r=t.ask(e.context(t.name,n));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){return{error:r}}}i(kr,"ans\
werOf");function Ar(t,e,n,r){if("error"in r)return Qn(t,e,n,r.error);try{return bs(t,n,r.value)}catch(o){return Qn(t,e,n,
o)}}i(Ar,"judge");function Qn(t,e,n,r){let o=`the policy ${n} failed: ${S(r)}`;if(t!=="after_tool"&&t!=="on_timeout")return{
answer:"block",policy:n,text:o,reason:"policy"};e.runtime.report(r)}i(Qn,"failed");function bs(t,e,n){if(n==null)return;
if(typeof n!="object")throw new Error(`it answered ${k(n)}`);let r=i(l=>_(n,l),"part"),[o,s,a,u,d="policy"]=["action","t\
ext","reason","report","stopReason"].map(r);if(o==="continue")return;let c=o;if(!wr[t].includes(c))throw new Error(`it a\
nswered ${k(o)}, here it may answer ${["continue",...wr[t]].join(", ")}`);let f={inject:s,force_turn:s??"Take another tu\
rn before you end.",block:a,finish:u}[c];if(typeof f!="string")throw new Error(`it answered ${c} with ${k(f)} where a te\
xt belongs`);if(!v.includes(d))throw new Error(`it answered with the stop reason ${k(d)}`);return{answer:c,policy:e,text:q(
j("what it says",f)),reason:d}}i(bs,"read");var ge=class{static{i(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,n,r){this.runtime=e,this.sub=
new he("`policies.subAgents`",n.subAgents),this.policies=new he("`policies.main`",n.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new he("`policies`",e)}openSession(e,n,r){this.mains.set(e.slot,this.newMain(e,n,{...this.
limits,...r}))}main(e){let n=this.mains.get(e.slot);if(n?.agent.actor.generation===e.generation)return n;let r=this.newMain(
e,this.policies,this.limits);return n===void 0&&this.mains.set(e.slot,r),r}newMain(e,n,r){let s={agent:new Ce(this.runtime,
e,()=>s.prompt),policies:n,limits:r,prompt:""};return s}agentOf(e){return e.agent??=new Ce(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,n,r){let o=e.run===0,s=o?this.main(e).policies:this.sub;if(!s.has("before_spawn"))return;let a=o?this.
main(e).agent:this.agentOf(e),u=s.ask("before_spawn",a,{task:n.text,params:r});if(u===void 0)return;a.rule("before_spawn",
u);let{answer:d,policy:c,text:f}=u;if(d==="inject"){let l=rn(n);l.contextHint=l.contextHint===void 0||l.contextHint===""?
f:`${l.contextHint}

${f}`;return}throw new w("policy_blocked",f,{policy:c,...d==="finish"&&{report:f}})}start(e,n){let r=this.agentOf(e),o=this.
sub.ask("before_start",r,{});if(o instanceof Promise){this.runtime.alone(o.then(s=>this.started(e,s,n)));return}this.decideStart(
e,o,n)}started(e,n,r){let{runtime:o}=this;if(o.isClosed||e.settled)return;let{slot:s,generation:a,run:u}=e,d=(n===void 0||
n.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,n,r),!(o.act(c=>c.approved(y(),s,a,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,n,r){let o=this.agentOf(e);n!==void 0&&o.rule("before_start",n),n?.answer==="inject"&&
o.inject(n.text),(n===void 0||n.answer==="inject")&&!this.isStopping(e)?r():this.runtime.hosts.settle(e,ce())}isStopping(e){
let{slot:n,generation:r,run:o}=e;return!this.runtime.call(s=>s.isOpen(n,r,o))||this.runtime.lookup.snapshot(n,r).cancelRequested}async beforeTurn(e,n){
e.asksForTurn=!0;try{let r=await this.listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule(
"before_turn",r);if(r.answer==="inject")e.inject(r.text);else if(a)return vr(r)}let o=await n();if(!o.go)return o;let s=e.
takeInjected();return s.length===0?o:{...o,inject:[...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,n){
let{runtime:r}=this;r.check();let o=this.main(e),{agent:s,policies:a}=o,{slot:u,generation:d}=e;if(s.asksForTurn)throw new w(
"invalid_argument","the last beforeTurn has not answered yet");if(n!==void 0&&(r.act(c=>c.endMain(y(),u,d)),o.prompt=n),
(s.policing()?.turns??0)===0&&a.has("before_start")){s.asksForTurn=!0;let c=await a.ask("before_start",s,{});if(s.asksForTurn=
!1,r.check(),c!==void 0){if(s.rule("before_start",c),c.answer!=="inject")return vr(c);s.inject(c.text)}}return this.beforeTurn(
s,()=>this.takeMainTurn(o))}async takeMainTurn(e){let{agent:n,policies:r,limits:o}=e,{slot:s,generation:a}=n.actor,{maxTurns:u=Zn,
maxContextTokens:d=Zn,timeoutMs:c=Zn}=o,f=this.runtime.call(h=>h.beginMainTurn(y(),s,a,u,d,c));if(f===-1)throw this.runtime.
refusal();if(f<0){this.runtime.carryOut();let h=v[-2-f]??"policy";return h!=="policy"?{go:!1,reason:h}:{go:!1,reason:h,message:`\
the context has ${n.policing()?.contextTokens} tokens, the limit is ${d}`}}let l=Math.floor(f/64),m=f%64<32?void 0:{inject:this.
runtime.call(h=>h.takeInject())};if(this.runtime.carryOut(),f%32===0)return{go:!0,turn:l,...m};let p=await r.ask("on_tim\
eout",n,{reason:"timeout"}),g=p===void 0?void 0:this.timeoutAnswered(n,p);return{go:!0,turn:l,wrapUp:!0,reason:"timeout",
...m,...g!==void 0&&{report:g}}}async beforeTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.actor;if(o.check(),
j("a tool's name",n)==="")throw b("a tool's name","a text that is not empty",n);if(!e.isMain){let l=o.write(n);if(!o.call(
m=>m.mayUse(s,a,u,l)))return this.toolRefused(e)}let d=this.listFor(e),c=d.has("before_tool")?await d.ask("before_tool",
e,{tool:n,args:r}):void 0;if(o.check(),c!==void 0){if(e.rule("before_tool",c),c.answer==="block")return{allowed:!1,reason:c.
text};if(c.answer==="finish")return{allowed:!1,reason:c.text,finished:!0}}let f=o.write(n);return o.call(l=>l.beginTool(
y(),s,a,u,f))?(o.carryOut(),c===void 0?{allowed:!0}:{allowed:!0,inject:[c.text]}):this.toolRefused(e)}toolRefused(e){let{
code:n,message:r}=this.runtime.refusal();return n==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.
actor;if(o.check(),j("a tool's name",n)==="")throw b("a tool's name","a text that is not empty",n);let c=!e.isMain&&o.call(
p=>p.endTool(y(),s,a,u))?o.call(p=>p.takeInject()):[];o.carryOut();let f=this.listFor(e),l=f.has("after_tool")?await f.ask(
"after_tool",e,{tool:n,result:r}):void 0;l!==void 0&&(o.check(),e.rule("after_tool",l),l.answer==="inject"&&c.push(l.text));
let m=c.length===0?{}:{inject:c};return l?.answer==="block"?{withheld:!0,reason:l.text,...m}:l?.answer==="finish"?{withheld:!1,
finished:!0,...m}:{withheld:!1,...m}}async beforeEnd(e,n){let{runtime:r}=this;r.check(),j("`output`",n);let o=this.listFor(
e),s=o.has("before_end")?await o.ask("before_end",e,{output:n}):void 0;if(r.check(),s!==void 0&&(e.rule("before_end",s),
s.answer==="inject"||s.answer==="force_turn"))return{end:!1,inject:[s.text]};let{slot:a,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(y(),a,u)),s===void 0?{end:!0,output:n}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.
text}}timedOut(e,n){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:n}),
s=i(a=>{a!==void 0&&this.timeoutAnswered(r,{...a,reason:n})},"answered");o instanceof Promise?this.runtime.alone(o.then(
s)):s(o)}timeoutAnswered(e,n){if(e.rule("on_timeout",n),n.answer==="finish")return n.text;e.inject(n.text)}},Zn=Number.POSITIVE_INFINITY;
function vr({answer:t,text:e,reason:n}){return t==="finish"?{go:!1,reason:n,report:e}:{go:!1,reason:n,message:e}}i(vr,"r\
efusedTurn");function ys(t){return x("a notice",()=>{let{origin:e,text:n,deliveryId:r}=re("a notice",t);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:n,deliveryId:r}})}i(ys,"toBusMessage");function Or(t,e){return({inbox:n})=>{
for(let r of n.lease())i(async()=>{await t.publish(ys(r)),n.ack(r.deliveryId)},"taken")().catch(e)}}i(Or,"publisher");function Rr(t){
let e=typeof t=="object"&&t!==null?t.publish:void 0;if(typeof e!="function")throw b("`bus`","an object with a function `\
publish`",t);return{publish:i(n=>e.call(t,n),"publish")}}i(Rr,"busOf");function cn(t){return x("a task",()=>{let{label:e,taskId:n}=re("a task",t);return`Subagent [${E(e,z)}] started (id: ${E(
n)}). I'll notify you when it completes.`})}i(cn,"startedText");function et(t){let{process:e,Deno:n,reportError:r,console:o}=globalThis;try{e===void 0&&n===void 0&&typeof r=="function"?
r(t):o?.error(t)}catch{}}i(et,"logError");function nt(t,e){try{let n=t();ws(n)&&new Promise(r=>r(n)).catch(e)}catch(n){e(
n)}}i(nt,"notify");function ws(t){return typeof t=="object"&&t!==null&&typeof t.then=="function"}i(ws,"isThenable");function ye(t){return typeof WeakRef>"u"?{deref:i(()=>t,"deref")}:new WeakRef(t)}i(ye,"weakly");var be=class{static{i(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,n){
this.registry?.register(e,n,e)}unwatch(e){this.registry?.unregister(e)}};var fn=class{static{i(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},$e=[],Tr=[],tt,X;function Pr(t,e,n){let r=Tr.pop()??$e.length;return $e[r]=ye(e),tt??=new be(({host:o,alarm:s})=>{
s.stop(),jr(o)}),tt.watch(t,{host:r,alarm:n}),r}i(Pr,"attach");function rt(t){tt?.unwatch(t),t.door.shut(),jr(t.host)}i(
rt,"release");function jr(t){$e[t]!==void 0&&($e[t]=void 0,Tr.push(t))}i(jr,"detach");function B(t){let e=X;return X=t,jn(
!0),e}i(B,"enter");function U(t){X=t,t===void 0&&jn(!1)}i(U,"leave");function Er(){return X!==void 0}i(Er,"isInside");function T(t){
return X!==void 0&&X.host===t?X:$e[t]?.deref()?.runtime}i(T,"find");function zu(t,e,n,r){T(t)?.runs.startRun(e,n,r)}i(zu,
"startRun");function Xu(t,e,n,r,o){T(t)?.runs.runRetried(e,n,r,o)}i(Xu,"runRetried");function Qu(t,e,n,r,o){T(t)?.runs.abortRun(
e,n,r,o)}i(Qu,"abortRun");function Zu(t,e,n,r){T(t)?.runs.turnReady(e,n,r)}i(Zu,"turnReady");function ed(t,e,n){let r=T(
t);r?.sessionData.taskForgotten(e,n),r?.contexts.taskForgotten(e,n),r?.signals.taskGone(e,n)}i(ed,"taskForgotten");function nd(t,e,n){
T(t)?.signals.taskGone(e,n)}i(nd,"taskClosed");function td(t,e,n){T(t)?.wakes.mark(e)}i(td,"wakeSession");function rd(t,e,n,r,o){
T(t)?.runs.policiesDue(e,n,r,o)}i(rd,"policiesDue");function od(t,e){T(t)?.startsStopped(e)}i(od,"startsStopped");function sd(t,e){
T(t)?.wakeAt(e)}i(sd,"wakeAt");function id(t,e,n,r,o,s,a){T(t)?.runs.askDone(e,n,r,o,s,a)}i(id,"askDone");function ad(t,e,n,r){
T(t)?.waits.done(e,n,r)}i(ad,"waitDone");function ud(t,e,n,r,o,s,a,u,d,c,f,l,m){T(t)?.runs.runEnded(e,n,r,o,s,a,u,d,c,f,
l,m)}i(ud,"runEnded");function dd(t,e,n){T(t)?.listeners.facts(e,n)}i(dd,"facts");function cd(t,e){let n=T(t);return n===
void 0||n.consumerGate(e)}i(cd,"consumerGate");function fd(t,e){return T(t)?.makeTool(e)}i(fd,"makeTool");var ld=0,_r=1,
md=2;var ln=class{static{i(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,n){this.runtime=e,
this.scratch=n}get listening(){return this.reader!==void 0}subscribe(e,n){this.runtime.check();let r=this.runtime.call(s=>s.
factCount());this.listeners.size===0&&(this.reader=n(this.runtime,this.scratch,r),this.runtime.call(s=>s.listen(!0)));let o={
listener:fe(e),since:r};return this.listeners.add(o),()=>{this.listeners.delete(o),this.listeners.size===0&&!this.runtime.
isClosed&&(this.reader=void 0,this.runtime.journal===void 0&&this.runtime.call(s=>s.listen(!1)))}}facts(e,n){let{journal:r}=this.
runtime;if(!(this.reader===void 0&&r===void 0)&&(r?.append(this.scratch.copy(e,n)),this.reader!==void 0))for(let o of this.
reader.read(e,n))for(let{listener:s,since:a}of this.listeners)o.seq>a&&this.runtime.tell(()=>s(o))}clear(){this.listeners.
clear(),this.reader=void 0}};var Me={slot:0,generation:0,run:0},Ir=4294967296;function Q(t){return t>>>0}i(Q,"slotOf");function ot(t){return Math.floor(
t/Ir)}i(ot,"generationOf");function W(t){return{slot:Q(t),generation:ot(t)}}i(W,"keyOf");function Ne({slot:t,generation:e}){
return e*Ir+t}i(Ne,"packed");function Cr(t,e,n){let r={},{runtime:o,slot:s,generation:a}=t;if(o.call(u=>u.knowsTools(s,a))){let u=t.snapshot().tools??
[];As(n?.tools,u)||(r.tools=[...u])}if(n?.maxTurns!==void 0||n?.maxCost!==void 0){let u=o.call(d=>d.runLimits(s,a));n.maxTurns!==
void 0&&u!==void 0&&u.maxTurns<n.maxTurns&&(r.maxTurns=u.maxTurns),n.maxCost!==void 0&&u!==void 0&&u.costUsd<n.maxCost&&
(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:ks(e,r)}i(Cr,"allowed");function ks(t,e){let n=Object.getOwnPropertyDescriptors(
t);for(let[r,o]of Object.entries(e))n[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.
getPrototypeOf(t),n)}i(ks,"replaced");function As(t,e){return t?.length===e.length&&e.every((n,r)=>n===t[r])}i(As,"isSam\
e");var H=class t{static{i(this,"ActiveRun")}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;abortedEarly=!1;text=void 0;#e=void 0;#n=void 0;hostTaskId=void 0;result=void 0;before=void 0;previousError=void 0;successor=void 0;returned=void 0;turn=void 0;unfollow=void 0;asking=void 0;agent=void 0;followers=void 0;named=void 0;starting=void 0;watch=void 0;#t=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;aborted=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,n,r){
this.runtime=e,this.given=n,this.asked=r}get format(){return this.#n??=this.snapshot().format,this.#n}set format(e){this.#n=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#t??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#t=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let n=new t(this.runtime,this.given);return n.slot=this.slot,n.generation=this.generation,n.run=this.run+1,n.text=this.text,
n.#e=this.#e,n.#n=this.#n,n.#t=this.#t,n.watch=this.watch,n.before=this.returned,n.previousError={reason:e,error:this.returned?.
error??null},[n.followers,this.followers]=[this.followers,void 0],[n.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=n,n}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"re\
solve"),n=new Promise(r=>{e=r});this.named={promise:n,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:n,maxTurns:r,background:o}=this.snapshot();
this.given={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...n&&{systemPrompt:n}}}else this.isAllowed||
(this.given=Cr(this,this.given,this.asked));return this.isAllowed=!0,this.given}handedRun(){return this.handed??=this.runtime.
makeRun(this),this.handed}prompt(){return this.text??this.runtime.call(e=>e.message(this.slot))}snapshot(){return this.view??=
this.runtime.lookup.snapshot(this.slot,this.generation),this.view}brief(){return this.#r??=this.runtime.lookup.brief(this.
slot,this.generation),this.#r}get signal(){return this.controller===void 0&&(this.controller=new AbortController,this.aborted!==
void 0&&this.controller.abort(this.abortError(this.aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.
abort(this.abortError(e))}abortError(e){return new w("aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var it=class{static{i(this,"Followed")}#e;#n=new Set;constructor(e){this.#e=e}#t=i(()=>{let e=[...this.#n];for(let n of e)
this.leave(n);for(let n of e)n.deref()?.fire()},"#fire");join(e){if(this.#n.add(e),!(this.#n.size>1))try{this.#e.addEventListener(
"abort",this.#t,{once:!0})}catch(n){throw this.leave(e),n}}leave(e){!this.#n.delete(e)||this.#n.size>0||(mn.get(this.#e)===
this&&mn.delete(this.#e),Ss(()=>this.#e.removeEventListener("abort",this.#t)))}},mn=new WeakMap,st;function $r(t,e){let n=mn.
get(t);n===void 0&&(n=new it(t),mn.set(t,n));let r=n;return r.join(e),()=>r.leave(e)}i($r,"join");function at(t,e){let n={
fire:e};return $r(t,{deref:i(()=>n,"deref")})}i(at,"follow");var pn=class{static{i(this,"Signals")}#e=new Map;#n=new Map;follow(e,n){
let r={fire:n},o=$r(e,ye(r)),s=i(()=>{this.#e.delete(s),st?.unwatch(r),o()},"end");return this.#e.set(s,r),st??=new be(a=>a()),
st.watch(r,o),s}keepIdle(e,n){let{runtime:r,slot:o,generation:s}=e,a=this.follow(n,()=>Nr(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#n.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||Y[u]==="closed")&&this.taskGone(o,s)}taskGone(e,n){
let r=this.#n.get(e);r?.generation===n&&(this.#n.delete(e),r.unfollow?.())}clear(){for(let e of[...this.#e.keys()])e();for(let e of this.#n.
values())e.unfollow?.();this.#n.clear()}};function Mr(t,e){let n=at(e,()=>{t.slot===0?t.abortedEarly=!0:Nr(t)});t.unfollow=
()=>{t.unfollow=void 0,n()}}i(Mr,"followSignal");function Nr(t){let{runtime:e}=t;if(!e.isClosed)try{e.waits.cancel(Me,t.
slot,t.generation,"signal_aborted").catch(()=>{})}catch{}}i(Nr,"cancelLive");function Ss(t){try{t()}catch{}}i(Ss,"letGo");function Fr(t,e,n,r){t.check(),Lr(t,e,n);let o=Os(n,r);if(t.seeded||Ps(t),t.functions.checkConsumerSpawn!==void 0){let h=ut(
t,o);if(h!==!0)throw new w("spawn_denied",h||"the host refused this spawn",{reason:h||null});t.check()}t.gates.beforeSpawn(
e,n,o),t.check(),Lr(t,e,n);let{staged:s,text:a}=n;a!==void 0&&!n.manual&&Rs(t,n.background);let u=new H(t,o,n.asked);if(u.
background=n.background,u.text=a,u.format=s?.json===!0?"json":"text",u.check=n.schema,n.watch!==void 0&&(u.watch=n.watch),
n.signal!==void 0&&(Mr(u,n.signal),u.abortedEarly))throw Dr(n.signal);if(s!==void 0&&!t.call(h=>h.stage(s)))throw u.unfollow?.(),
t.refusal();let d=a===void 0?0:t.write(a),c=s?.idempotencyKey===void 0?0:64,f=(n.background?1:0)|(a===void 0?2:0)|(s===void 0?
0:4)|(n.manual?8:0)|n.answers|c,l=B(t),m;try{m=t.core.begin(y(),e.slot,e.generation,e.run,f,d,n.tokens,n.cost,n.turns)}catch(h){
throw t.poison(h)}finally{U(l)}if(m===-1)throw u.unfollow?.(),t.refusal();let p=m<0?vs(t,u,n,W(-2-m)):xs(t,u,n,m),g=t.contexts.
enter(m<0?0:u.slot);return t.carryOut(),t.contexts.leave(g),t.expectSound(),t.hosts.keepAwake(),p}i(Fr,"spawn");function xs(t,e,{
text:n,manual:r,schema:o,signal:s},a){return e.slot=Q(a),e.generation=ot(a),o!==void 0&&t.sessionData.check(e.slot,e.generation,
o),t.contexts.keep(e.slot,e.generation),n===void 0?s!==void 0&&t.signals.keepIdle(e,s):r||(e.run=1,t.runs.keep(e)),e}i(xs,
"admitted");function vs(t,e,n,r){return e.unfollow?.(),n.repeated=!0,Ts(t,r)}i(vs,"repeated");function Lr(t,{slot:e,generation:n,
run:r},{signal:o,background:s}){if(o?.aborted===!0)throw Dr(o);r!==0&&t.ask(a=>a.mayStart(e,n,r,s))}i(Lr,"expectNotStopp\
ed");function Dr(t){return new w("aborted","the signal of this spawn has fired already, so nothing was started",{},{cause:t.
reason})}i(Dr,"firedAlready");function Os({renamed:t,text:e},n){return t?x("the options of spawn",()=>({...n,instructions:e})):
n}i(Os,"paramsOf");function Rs({functions:t},e){if(t.spawnSubAgent!==void 0||e&&t.spawnBackgroundSubAgent!==void 0)return;
let n="spawnSubAgent";throw new w("invalid_argument","the manager was made without `spawnSubAgent`, so nothing can run a\
 sub-agent",{argument:n})}i(Rs,"checkHost");function Ts(t,{slot:e,generation:n}){let r=t.runs.liveOf(e,n);if(r!==void 0)
return r;let o=new H(t,void 0);return o.slot=e,o.generation=n,o.run=t.call(s=>s.lastRun(e,n)),o}i(Ts,"lastRunOf");function ut(t,e){
let n=t.functions.checkConsumerSpawn;if(n===void 0)return!0;try{let r=n(e);if(typeof r!="object"||r===null)return`checkC\
onsumerSpawn must return { allowed }, it returned ${k(r)}`;let[o,s]=[_(r,"allowed"),_(r,"reason")];return o===!0?!0:o===
!1?typeof s=="string"&&s!==""?s:!1:typeof r.then=="function"?(r.then(void 0,()=>{}),"checkConsumerSpawn must answer at o\
nce, it returned a promise"):`checkConsumerSpawn must return { allowed: boolean }, allowed is ${k(o)}`}catch(r){return`c\
heckConsumerSpawn failed: ${S(r)}`}}i(ut,"consumerGate");function Ps(t){t.order(e=>e.seed(y())),t.seeded=!0}i(Ps,"seed");var js=0x7375626167656e74n,Es=32n,Ur=i(t=>BigInt.asUintN(64,t),"low64"),Kr=i((t,e)=>Ur(t<<e|t>>64n-e),"rotated");function Br(t,e,n){
let r=Ur(Kr(t,56n)+e)^n;return[r,Kr(e,3n)^r]}i(Br,"mix");function Wr([t=0n,e=0n],n,r){let[o,s]=[t,e],[a,u]=[js,BigInt(r)<<
32n|BigInt(n)];for(let d=0n;d<Es;d+=1n)[a,u]=Br(a,u,s),[o,s]=Br(o,s,d);return`sub_${[a,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}i(Wr,"taskIdOf");var hn=class{static{i(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,n){if(this.runtime.
check(),typeof n!="string")throw b("a target","an id or a handle",n);let r=this.runtime.write(En(n)?n.slice(0,160):""),{
slot:o,generation:s,run:a}=e,u=this.runtime.call(d=>d.find(o,s,a,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let c=new w(d.code,`${d.message}: ${k(n)}`,{...d.details,taskId:n});throw Be(c,`${Ue(d)}: ${k(
n)}`)}return W(u)}nameOf(e,{nickname:n,taskId:r}){if(n===null)return r;let o=this.runtime.write(n),s=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,o));if(s<0)return r;let{slot:a,generation:u}=W(s);return this.taskId(a,u)===r?n:r}taskId(e,n){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,n)):Wr(r,e,n)}snapshot(e,n){let r=this.runtime.
call(o=>o.get(e,n,y()));if(r===void 0)throw this.runtime.refusal();return dt(r)}brief(e,n){let r=this.runtime.call(f=>f.
brief(e,n));if(r===void 0)throw this.runtime.refusal();let[o,s,a="",u,d=Vn,c]=r;return{depth:o,label:s,contextHint:a,systemPrompt:u,
profile:d,modelId:c}}openSession(e){this.runtime.check();let n=this.runtime.write(e),r=Ht(this.runtime,n),o=r>=0?r:this.
runtime.call(a=>a.openSession(y(),n));if(o<0)throw this.runtime.refusal();this.runtime.carryOut();let s={...W(o),run:0};
return this.sessions.set(s.slot,s.generation),s}eventId(e,n){return this.sessions.get(e)===n?null:this.runtime.call(r=>r.
eventId(e,n))??null}};function dt(t){let{artifacts:e,value:n,metadata:r}=t;return{...t,artifacts:e===null?[]:JSON.parse(
e),value:n===null?null:JSON.parse(n),metadata:Yt(r)}}i(dt,"parseArtifacts");var Jr=64,gn=class{static{i(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=Jr;runtime;constructor(e){
this.runtime=e}start(e,n){this.sweep(),this.list(e);let r;try{r=n(e.params(),e.handedRun())}catch(s){throw this.unlist(e),
s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.runtime.act(s=>s.startedElsewhere(y(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(e,s),s=>this.end(e,ze(S(s),s))))}started(e,n){
let r=_s(n);if(typeof r!="string"||r===""){this.end(e,Te(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${k(n)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.runtime.act(a=>a.nameElsewhere(y(),e.slot,e.generation,
e.run,o));let s=this.early.get(r);this.early.delete(r),s!==void 0?this.end(e,de(s)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let n of e)this.runtime.report(
this.unknown(n))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,n){if(typeof e!=
"string"||e==="")throw b("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new w("i\
nvalid_argument",`several sub-agents go by the host id ${k(e)}: report by task id`,{id:e});let[o]=r;if(o!==void 0){this.
end(o,de(n));return}let s=this.endedBy(e);if(s!==void 0){let a=Object.assign(new H(this.runtime,void 0),s);this.runtime.
hosts.settle(a,de(n));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,n)}livesOf(e){let n=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||n.includes(r)?n:[...n,r]}endedBy(e){let n=this.ended.get(
e)??this.ended.get(this.placeOf(e));return n!==void 0&&this.isKept(n)?n:void 0}placeOf(e){let n=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(a=>a.find(0,0,0,n));if(r<0)return r;let{slot:o,generation:s}=W(r);return this.runtime.lookup.
taskId(o,s)===e?r:-2}isKept({slot:e,generation:n}){return this.runtime.call(r=>r.lastRun(e,n))>0}unknown(e){if(this.placeOf(
e)===-1){let n=this.runtime.refusal();if(n.code==="forgotten")return n}return new w("unknown_task",`no background sub-ag\
ent goes by ${k(e)}`,{id:e})}list(e){let n=Ne(e),r=this.lives.get(n);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(n,e)}isListed(e){return this.lives.get(Ne(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(Ne(
e));let{hostTaskId:n}=e;if(n!==void 0){let r=this.named.get(n);r?.delete(e),r?.size===0&&this.named.delete(n)}return!0}keepEnded({
slot:e,generation:n,run:r,hostTaskId:o}){let s={slot:e,generation:n,run:r};this.ended.set(Ne(s),s),o!==void 0&&this.ended.
set(o,s)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(n=>n.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,n]of this.ended)this.isKept(n)||this.ended.delete(e);this.sweepAt=Math.max(
Jr,(this.lives.size+this.ended.size)*2)}}end(e,n){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
o={...n,hostTaskId:n.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,o):this.runtime.hosts.settleChecked(
e,o,r)}};function _s(t){try{return t?.taskId}catch{return}}i(_s,"hostId");var bn=class{static{i(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,n,r){this.runtime=e,this.
scratch=n,this.alarm=r,this.elsewhere=new gn(e)}start(e){try{let{spawnSubAgent:n,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(n===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let o=n(e.params(),e.handedRun());(Is(o)?
o:new Promise(a=>a(o))).then(a=>this.hostReturned(e,a),a=>this.hostThrew(e,a))}catch(n){this.hostThrew(e,n)}}settle(e,n){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=n;let r=B(this.
runtime);try{let{output:o,error:s,status:a,id:u,artifacts:d,value:c}=this.scratch.writeEnd(this.bounded(n));this.runtime.
core.settle(y(),e.slot,e.generation,e.run,n.how,o,s,a,u,d,c,n.tokens,n.cost,n.turns,n.durationMs),this.runtime.core.carryOut()}catch(o){
this.runtime.poison(o)}finally{U(r)}this.keepAwake()}settleManual(e,n,r){this.runtime.check();let{output:o,error:s,artifacts:a}=this.
runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(d=>d.settle(y(),e,n,0,r.how,o,s,4294967295,4294967295,a,
4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.refusal();this.runtime.runs.manualEnded(e,r),this.runtime.
carryOut(),this.runtime.expectSound()}bounded(e){let{output:n}=e;return n.length<=D?e:{...e,output:n.slice(0,Math.max(D,
M(this.runtime,"maxResultBytes")+1))}}hostReturned(e,n){let r=de(n),{check:o}=e;o===void 0||this.runtime.isClosed?this.settle(
e,r):this.settleChecked(e,r,o)}settleChecked(e,n,r){let o=Lt(n,r,M(this.runtime,"maxResultBytes"));o instanceof Promise?
this.runtime.alone(o.then(s=>this.settle(e,s))):this.settle(e,o)}hostThrew(e,n){ke(n);let r=S(n);this.settle(e,ze(r,n))}hostIsOver(e){
e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&(this.release(e),this.keepAwake())}release(e){e.hostOpen&&(e.hostOpen=
!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>0||this.runtime.isClosed)return;let e=this.runtime.unasked(n=>n.hasQueued())===
!0;this.runtime.isClosed||(this.runtime.keepAlive.hasQueued(e),this.alarm.hold(e||this.runtime.waits.areOpen))}};function Is(t){
return t instanceof Promise&&t.constructor===Promise&&t.then===Promise.prototype.then}i(Is,"isPlainPromise");var yn=class{static{i(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,n){this.alarm=e,this.manager=n}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var wn=class{static{i(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let n=M(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:o})=>this.pin(r,o,n))}pin(e,n,r){let o=this.runtime.call(
u=>u.lastRun(e,n)),s={slot:e,generation:n,run:o,taskId:this.runtime.lookup.taskId(e,n)};if(!this.runtime.call(u=>u.isOpen(
e,n,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let a=this.open.get(e);return a===void 0?this.open.set(e,
[s]):a.push(s),s}hold(e){return this.open.has(e)}ended(e,n,r,o){let s=this.open.get(e);if(s!==void 0)for(let a of s)a.run===
r&&a.generation===n&&(a.ended=this.asEnded(a,o))}retried(e,n,r){for(let o of this.open.get(e)??[])o.run===r&&o.generation===
n&&(o.run+=1)}asEnded(e,n){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??r;return o&&this.kept(e,{...o,...$s(
e,n)})}unpin(e){for(let n of e){let r=this.open.get(n.slot)?.filter(o=>o!==n);r!==void 0&&(r.length===0?this.open.delete(
n.slot):this.open.set(n.slot,r))}}told(e,n,r){let o=this.read(e);if(n===_r)return{told:n,view:r||o?.run===e.run?o??e.ended:
e.ended??o};let s=typeof n=="string"?n:null,a=o!==void 0&&(o.status==="running"||o.status==="pending")&&(r||o.run===e.run);
return o===void 0||a&&(s===null||o.question===s)?{told:n,view:o}:{told:n,view:this.kept(e,{...o,...Cs,run:e.run,question:s})}}read(e){
let{slot:n,generation:r}=e,o=this.runtime.call(s=>s.get(n,r,y()));return o&&this.kept(e,dt(o))}kept(e,n){return this.places.
set(n,e),n}placeOf(e){return this.places.get(e)}},Cs={status:"running",stopReason:null,output:"",error:null,endedAt:null,
durationMs:null,partial:!1,truncated:!1,artifacts:[]};function $s({run:t,begun:e},n){let{status:r,stopReason:o,output:s,
partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f}=n,{error:l=null,hostStatus:m=null,hostTaskId:p=null,artifacts:g,
value:h=null}=n,A={status:r,stopReason:o,output:s,partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f,error:l,
hostStatus:m,hostTaskId:p},P=Math.floor(y()),I=n.started?e?.startedAt??P-c:null;return{run:t,...A,startedAt:I,endedAt:P,
updatedAt:P,parked:null,question:null,turns:f.turns,artifacts:[...g],value:h}}i($s,"endOf");function Gr(t,{slot:e,generation:n},r,o){let{status:s,stopReason:a,output:u,error:d,hostStatus:c,figures:f}=o,l=t.writeAll(
[u,d??void 0,c??void 0]),[m,p,g]=l;return t.call(h=>h.resultText(e,n,r,Y.indexOf(s),v.indexOf(a),f.turns??-1,f.costUsd??
-1,f.durationMs??-1,m,p,g))}i(Gr,"endText");var Ms=Object.freeze([]),Ns=Object.freeze([]);function Hr(t){if((t&7)===0)return Ms;let e=[];return(t&1)!==0&&e.push("to\
kens"),(t&2)!==0&&e.push("costUsd"),(t&4)!==0&&e.push("turns"),e}i(Hr,"dimensions");var Ls=new Set(["max_turns","timeout",
"idle_timeout","never_reported","budget_exhausted"]);function Vr({runtime:t,slot:e,generation:n}){return(t.isClosed?void 0:
t.call(r=>r.raisedBy(e,n)))??null}i(Vr,"raisedBy");var Z=class t{static{i(this,"RunResult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#n;constructor(e,n,r,o,s,a,u,d,c,f,l,m,p,g){
this.#e=e,this.#n=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=n,this.stopReason=r,this.output=
o,this.partial=l,this.truncated=m,this.error=s?.error,this.cause=s?.cause,this.hostStatus=s?.hostStatus,this.hostTaskId=
s?.hostTaskId??this.#n?.hostTaskId,this.hostStillRunning=p,this.artifacts=s?.artifacts??Ns,this.value=s?.valueJson===void 0?
void 0:s.value,this.usage={tokens:a,costUsd:u/1e9,turns:d,unknown:Hr(c),invalid:Hr(c>>>8)},this.durationMs=f,this.started=
g,this.raisedBy=this.#n!==void 0&&Ls.has(r)?Vr(this.#n):null}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.
taskId),this.#e}get success(){return this.status==="completed"}get backgrounded(){return this.status==="running"||this.status===
"pending"}get report(){let e=this.#r;return gr(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;
return e.format==="json"?pe(this.report):Gr(e.runtime,e,this.run,this.#t)}get#t(){let{status:e,stopReason:n,output:r,error:o,
hostStatus:s}=this;return{status:e,stopReason:n,output:r,error:o,hostStatus:s,figures:this.figures}}get figures(){return an(
this.usage,this.started,this.durationMs)}get#r(){return this.#n}toJSON(){let{cause:e,...n}=this;return{taskId:this.taskId,
success:this.success,...n}}static movedToBackground(e){let{runtime:n,slot:r,generation:o}=e;if(!n.call(a=>a.isOpen(r,o,e.
run)))return;let s=n.lookup.snapshot(r,o);return s.background&&!s.cancelRequested?t.of({...s,output:cn(s)},e):void 0}static of(e,n){
let r={error:e.error??void 0,hostStatus:e.hostStatus??void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.
value,valueJson:e.value===null?void 0:""},o=n.runtime.call(a=>a.lastEnd(n.slot)),s=new t(e.taskId,Y[o%16],v[o>>>4],e.output,
r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null);return s.#n=n,Object.assign(s,{run:e.run,usage:e.usage,raisedBy:Vr(n)})}};var Fs=["timeout","stopped"];function qr(t,e,n){let{asking:r}=t;t.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:n}:{answered:!1,reason:Fs[e-1]??"stopped"})}i(qr,"askDone");function ct(t,e,n){let r=t.call(a=>a.question(e,n)),o=t.
lookup.taskId(e,n),s=`the sub-agent ${o} asks and waits for a message`;return new w("needs_input",r===void 0?s:`${s}: '${E(
r,Fe)}'`,{taskId:o,question:r??null})}i(ct,"needsInput");var Ds=1,lt=2,Ks=4,Yr=8,Bs=16;function ft(t,e,n){return`${t} ${e} ${n}`}i(ft,"nameOf");var kn=class{static{i(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,n,r){
if(this.runtime.isClosed)return;let o=this.find(e,n,r)??this.newLive(e,n,r);if(this.lives[e]!==o&&!this.runtime.call(s=>s.
isOpen(e,n,r))){this.runtime.hosts.settle(o,ce());return}this.keep(o),o.text??=this.runtime.call(s=>s.message(e)),this.runtime.
contexts.run(e,n,()=>this.start(o))}newLive(e,n,r){let o=new H(this.runtime,void 0);return o.slot=e,o.generation=n,o.run=
r,o}start(e){let{gates:n,hosts:r}=this.runtime;n.sub.has("before_start")?n.start(e,()=>r.start(e)):r.start(e)}find(e,n,r){
let o=this.lives[e];return o?.run===r&&o.generation===n?o:void 0}findOpen(e,n,r){return this.find(e,n,r)??this.endedOpen.
get(ft(e,n,r))}runEnded(e,n,r,o,s,a,u,d,c,f,l,m){let{pins:p}=this.runtime,g=this.find(e,n,r);if(g?.hostOpen!==!0&&this.runtime.
hosts.keepAwake(),g===void 0){if(!p.hold(e))return;let I=this.manualEnds.get(e);this.manualEnds.delete(e);let On=(a&Yr)!==
0?this.runtime.scratch.read(l,m):I?.output??"";p.ended(e,n,r,zr("",o,s,a,On,I,u,d,c,f));return}this.lives[e]=void 0,this.
runtime.keepAlive.end(),(a&lt)!==0&&(this.endedOpen.set(ft(e,n,r),g),this.runtime.hosts.goOnWithout(g)),g.unfollow?.(),g.
agent?.stop(),!g.settled&&!g.hostOpen&&g.abort(v[s]??"never_reported");let h=(a&lt)===0?g.returned??Us(g.before):void 0,
A=(a&Yr)!==0?this.runtime.scratch.read(l,m):h?.output??"";v[s]==="policy"&&(h={...h??ce(),...this.madeByPolicy(g)}),g.result=
zr(g,o,s,a,A,h,u,d,c,f),p.ended(e,n,r,g.result);for(let{resolve:I}of g.followers??[])I(g.result);g.named?.resolve();let P=g.
turn;P!==void 0&&(g.turn=void 0,P.resolve({go:!1,reason:v[s]??"host_failed"}))}manualEnded(e,n){this.runtime.pins.hold(e)&&
this.manualEnds.set(e,n)}runRetried(e,n,r,o){let{pins:s,sessionData:a,hosts:u}=this.runtime;a.empty(e,n),s.retried(e,n,r),
u.keepAwake();let d=this.find(e,n,r);if(d===void 0)return;d.agent?.stop();let c=v[o]??"host_failed";d.turn?.resolve({go:!1,
reason:c}),d.turn=void 0,this.lives[e]=d.again(c)}madeByPolicy({slot:e,generation:n,agent:r}){if(this.runtime.call(a=>a.
status(e,n))<0){let a=r?.blockedBecause;return{error:a&&Mt(a,M(this.runtime,"maxResultBytes")),artifacts:void 0}}let{error:o,
artifacts:s}=this.runtime.lookup.snapshot(e,n);return{error:o??void 0,artifacts:s}}abortRun(e,n,r,o){let s=this.findOpen(
e,n,r);s!==void 0&&(s.agent?.stop(),this.runtime.contexts.run(e,n,()=>s.abort(v[o]??"cancelled")))}policiesDue(e,n,r,o){
let s=this.findOpen(e,n,r);if(s===void 0)return;let a=v[o];a==="timeout"||a==="idle_timeout"?this.runtime.contexts.run(e,
n,()=>this.runtime.gates.timedOut(s,a)):s.agent?.overdue()}askDone(e,n,r,o,s,a){let u=this.find(e,n,r);u!==void 0&&qr(u,
o,this.runtime.scratch.read(s,a))}turnReady(e,n,r){let o=this.find(e,n,r);if(o===void 0)return;let s=o.takeStart();if(s!==
void 0){this.runtime.contexts.run(e,n,s);return}let{turn:a}=o;if(a===void 0)return;let u=this.beginTurn(o,a.estimate);u!==
void 0&&(o.turn=void 0,a.resolve(u))}liveOf(e,n){let r=this.lives[e];if(r!==void 0&&r.generation===n)return r;let o=this.
runtime.call(a=>a.lastRun(e,n));if(o===0||!this.runtime.call(a=>a.isOpen(e,n,o)))return;let s=this.newLive(e,n,o);return this.
keep(s),s}takeTurn(e,n){let r=this.beginTurn(e,n),o=r===void 0?new Promise((s,a)=>{e.turn={estimate:n,resolve:s,reject:a}}):
Promise.resolve(r);return this.runtime.carryOut(),o}beginTurn(e,n){let r=this.runtime.call(d=>d.beginTurn(y(),e.slot,e.generation,
e.run,n));if(r===0)return;if(r===-1)return{go:!1,reason:"actor_ended"};if(r<0)return{go:!1,reason:v[-2-r]??"cancelled"};
let o=r%32,s=Math.floor(r/64),a=r%64<32?void 0:{inject:this.runtime.call(d=>d.takeInject())};if(o===0)return{go:!0,turn:s,
...a};let u=this.runtime.call(d=>d.heldTokens(e.slot));return{go:!0,turn:s,wrapUp:!0,reason:v[o-1],tokens:u,...a}}returned({
slot:e,generation:n,run:r}){this.endedOpen.size>0&&this.endedOpen.delete(ft(e,n,r))}batchOver(){this.endedOpen.clear()}close(e){
for(let n of this.lives)if(n!==void 0){n.turn?.reject(e),n.turn=void 0,n.asking?.reject(e),n.asking=void 0;for(let{reject:r}of n.
followers??[])r(e);n.named?.resolve(),n.unfollow?.(),n.agent?.stop(),n.abort(e.code==="disposed"?"cancelled":"host_lost")}
this.lives.length=0,this.manualEnds.clear()}};function Us(t){return t&&{...ce(),error:t.error,cause:t.cause}}i(Us,"error\
Of");function zr(t,e,n,r,o,s,a,u,d,c){return new Z(t,Y[e]??"failed",v[n]??"host_failed",o,s,a,u,d,r>>>8,c,(r&Ds)!==0,(r&
Ks)!==0,(r&lt)!==0,(r&Bs)===0)}i(zr,"resultOf");var An=class{static{i(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,n){return this.keptOf(
e,n).values}empty(e,n){let r=this.kept.get(e);r?.generation===n&&r.values.clear()}check(e,n,r){this.keptOf(e,n).check=r}checkOf(e,n){
let r=this.kept.get(e);return r?.generation===n?r.check:void 0}keptOf(e,n){let r=this.kept.get(e);if(r?.generation===n)return r;
if(this.runtime.call(s=>s.status(e,n))<0)throw new w("forgotten","this sub-agent has been forgotten");this.runtime.call(
s=>s.tellForgotten());let o={generation:n,values:new Map};return this.kept.set(e,o),o}taskForgotten(e,n){this.kept.get(e)?.
generation===n&&this.kept.delete(e)}clear(){this.kept.clear()}};function Xr(t){let e=t.call(r=>r.claimed()),n=[];for(let r=0;r<e.length;r+=3){let[o,s,a]=e.subarray(r,r+3),u=t.call(d=>d.
deliveryId(o,s,a));n.push({deliveryId:u,taskId:t.lookup.taskId(o,s),run:a})}return n}i(Xr,"claimedEnds");var Qr=-2,Ws=-3,Zr=-4,Js="only the waiting was aborted: what was to be stopped is being stopped all the same",Sn=class{static{
i(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,n,r,o){this.runtime.check();let{slot:s,generation:a}=n,u=this.runtime.
runs.liveOf(s,a),c=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening?0:y(),f=B(this.runtime),l;
try{l=this.runtime.core.wait(c,e.slot,e.generation,e.run,s,a,r)}catch(p){throw this.runtime.poison(p)}finally{U(f)}if(l===
-1)throw this.runtime.refusal();let m=l<0?this.answered(l,n):this.waiting(l,u,e,o);return this.runtime.carryOut(),m}answered(e,n){
return e===Zr?Promise.resolve(void 0):e===Ws?Promise.reject(ct(this.runtime,n.slot,n.generation)):Promise.resolve(this.pastResult(
n))}waiting(e,n,r,o){return new Promise((s,a)=>{this.keep({wait:e,live:n,actor:r,resolve:s,reject:a},o),this.runtime.hosts.
keepAwake()})}pastResult({slot:e,generation:n,latest:r}){let o=this.runtime.call(s=>s.lastRun(e,n));return r.result!==void 0&&
(o===0||r.run===o)?r.result:Z.of(this.runtime.lookup.snapshot(e,n),r)}waitMany(e,n,{all:r,idle:o,timeoutMs:s},a,u){let d=new Uint32Array(
n.flatMap(m=>[m.slot,m.generation])),c=(r?1:0)+(o?2:0),f=this.runtime.call(m=>m.waitMany(y(),e.slot,e.generation,e.run,d,
c,s));if(f===-1)throw this.runtime.refusal();if(f>=0)return this.opened(f,u,void 0,a);let l=a(f===Zr,this.runtime.call(m=>m.
told())??[]);return this.runtime.carryOut(),Promise.resolve(l)}cancel(e,n,r,o,s=Number.NaN,a){return this.settled(u=>u.cancel(
y(),e.slot,e.generation,e.run,n,r,v.indexOf(o),s),a)}settled(e,n){let r=this.runtime.call(e);if(r===-1)throw this.runtime.
refusal();let o={acked:Xr(this.runtime)},s=this.opened(r,n,Js);return r===Qr?Promise.resolve(o):s.then(()=>o)}opened(e,n,r,o){
let s=e===Qr?Promise.resolve():new Promise((a,u)=>{this.keep({wait:e,live:void 0,read:o,resolve:a,reject:u},n,r),this.runtime.
hosts.keepAwake()});return this.runtime.carryOut(),s}drain(e){this.runtime.act(r=>r.startDrain(y(),e));let n=this.runtime.
call(r=>r.drain(y(),e));return this.runtime.keepAlive.begin(),new Promise((r,o)=>{this.untilClosed.add(o),this.runtime.hosts.
keepAwake(),n.then(s=>{this.untilClosed.delete(o)&&this.runtime.keepAlive.end(),this.runtime.hosts.keepAwake(),r(s)},s=>o(
this.runtime.poison(s)))})}keep(e,n,r="the wait was aborted; that touches no sub-agent"){let{wait:o}=e,s=Q(o);this.open[s]===
void 0?this.open[s]=e:this.crowded.set(o,e),this.runtime.keepAlive.begin(),this.count+=1,n!==void 0&&this.follow(e,n,r)}take(e){
let n=Q(e),r=this.open[n];if(r?.wait===e)return this.open[n]=void 0,r;if(this.crowded.size===0)return;let o=this.crowded.
get(e);return this.crowded.delete(e),o}done(e,n,r){let o=this.take(e);if(o===void 0)return;this.runtime.keepAlive.end(),
this.count-=1,this.runtime.hosts.keepAwake();let{resolve:s,unfollow:a}=o,u=o.live?.latest;a?.();try{u===void 0?s(o.read===
void 0?n:o.read(n,r??[])):u.result===void 0&&!n?this.endWithout(o,u):s(n?void 0:u.result)}catch(d){o.reject(d)}}endWithout({
actor:e,resolve:n,reject:r},o){let{slot:s,generation:a}=o,{runtime:u}=this;if(u.call(c=>c.question(s,a))!==void 0){r(ct(
u,s,a));return}let d=Z.movedToBackground(o);d!==void 0?n(d):e!==void 0&&this.waitFor(e,o,Number.POSITIVE_INFINITY).then(
n,r)}rejectAll(e){for(let n of[...this.open,...this.crowded.values()])n!==void 0&&(n.unfollow?.(),n.reject(e));this.open.
length=0,this.crowded.clear(),this.count=0;for(let n of this.untilClosed)n(e);this.untilClosed.clear()}follow(e,n,r){let{
wait:o}=e,s=Q(o),a=i(()=>{this.open[s]!==e&&this.crowded.get(o)!==e||(delete e.actor,e.reject(new w("aborted",r,{},{cause:n.
reason})),this.runtime.unasked(u=>u.endWait(y(),s,o)),this.runtime.carryOut())},"fire");if(n.aborted){a();return}e.unfollow=
at(n,a)}};var xn=class{static{i(this,"Wakes")}#e;#n=new Map;#t=new Set;#r=new Set;constructor(e){this.#e=e}register(e,n,r){r===void 0?
this.#n.delete(e):this.#n.set(e,{scope:n,onWake:fe(r)})}mark(e){this.#n.has(e)&&(this.#t.size===0&&queueMicrotask(()=>this.#o()),
this.#t.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#n.has(e)&&
this.#e.unasked(n=>n.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#n.clear(),this.#r.clear()}#o(){
let e=this.#t;this.#t=new Set;for(let n of e){let r=this.#n.get(n),o=this.#e.unasked(s=>s.pendingNotices(n));r===void 0||
o===void 0||o===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(y(),n)),this.#e.carryOut())}
this.review()}};function eo(t){return t===void 0?"Send it a message to answer.":`${t} answers it.`}i(eo,"howToAnswer");function no(t){return(typeof t=="string"?t.trim()===""?void 0:JSON.parse(t):t)??{}}i(no,"parsed");function to(t){let e=Ys({...t.schema},s=>t.check(s)),{name:n,label:r,description:o}=t;return{name:n,label:r,description:o,
parameters:e,inputSchema:e,execute(...s){return s.length>1&&Gs(s[0])?Hs(t,s):Vs(t,s)}}}i(to,"toolObject");function Gs(t){
return typeof t=="string"&&!/^\s*[{["]/.test(t)}i(Gs,"isCallId");async function Hs(t,e){let[n,r,o,s]=e,a=typeof s!="func\
tion"?void 0:c=>{let f=c(),l={content:[{type:"text",text:f.text}],details:t.detailsOf(f)};return s(l)},{text:u,details:d}=await t.
call(r,{signal:ro(o),toolCallId:n,progress:a});return{content:[{type:"text",text:u}],details:d}}i(Hs,"calledByPi");function Vs(t,e){
let n=new mt,r=(async()=>{let[o,s]=e,{signal:a,abortSignal:u,toolCallId:d,onUpdate:c,writer:f,outputWriter:l}=x("the opt\
ions of the call",()=>{let h=i(On=>_(Object(s),On),"given"),[A,P,I]=[h("signal"),h("abortSignal"),h("toolCallId")];return{
signal:A,abortSignal:P,toolCallId:I,onUpdate:h("onUpdate"),writer:h("writer"),outputWriter:h("outputWriter")}}),m=typeof c==
"function"?c:qs(f,l,d),p=i(h=>(n.push(h),m?.(h())),"progress"),g={signal:ro(a??u),toolCallId:typeof d=="string"?d:void 0,
progress:p};return(await t.call(o,g)).text})();return Object.defineProperty(r,Symbol.asyncIterator,{value:i(()=>n.until(
r),"value")})}i(Vs,"called");function ro(t){return Ve("`signal`",t??void 0)}i(ro,"signalFrom");function qs(t,e,n){if(typeof t==
"function")return r=>t({type:"subagent-progress",toolCallId:n,...r});if(typeof e=="function")return r=>{Promise.resolve(
e({type:"data-subagent-progress",data:{toolCallId:n,...r}})).catch(()=>{})}}i(qs,"sinkOf");var mt=class{static{i(this,"U\
pdates")}newest=void 0;count=0;waiting=[];push(e){this.newest=e,this.count+=1,this.wake()}wake(){for(let e of this.waiting.
splice(0))e()}async*until(e){let n=!1,r=0,o=i(()=>{n=!0,this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.
count>r)r=this.count,yield this.newest().text;else{if(n)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};
function Ys(t,e){let n=i(()=>structuredClone(t),"plain");return Object.defineProperty(t,"~standard",{enumerable:!1,value:{
version:1,vendor:"subagents",validate(r){let o=e(r);return"params"in o?{value:no(r)}:{issues:o.mistakes.map(s=>({message:s}))}},
jsonSchema:{input:n,output:n}}})}i(Ys,"withStandard");function oo(t){let e=0,n="";return(r,o)=>{e=o.turn??e,n=o.message??n;let s={turn:e,message:n};r.runtime.tell(()=>{let{taskId:a}=r,
{label:u}=r.brief();return t(()=>zs({taskId:a,label:u,...s}))})}}i(oo,"watcher");function zs(t){let{label:e,turn:n,message:r}=t,
o=n===0?"has started":`is at turn ${n}`,s=`[${E(e,z)}] ${o}${r===""?"":`: ${E(r,Fe)}`}`;return{...t,text:s}}i(zs,"progre\
ssOf");function Le(t,e,n,r){if(n===void 0)return r.text;try{let o=n(r);if(typeof o=="string"&&o!=="")return o;t.report(b(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){t.report(o)}return r.text}i(Le,"said");function so(t,e=[]){try{return Xs(typeof t=="string"?JSON.parse(t):t,e)}catch(n){return{mistakes:[`the arguments can't b\
e read: ${E(S(n),De)}`]}}}i(so,"checkArguments");function Xs(t,e){if(typeof t!="object"||t===null||Array.isArray(t))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${k(t)}`]};let n=[],r=i(p=>_(t,p),"given"),[o,s]=[
r("instructions"),r("systemPrompt")],[a,u,d]=[r("maxTurns"),r("maxCost"),r("background")],c=e.length>0?r("agent"):void 0,
f=Qs(r("tools")),l=i((p,g,h)=>{n.push(`\`${p}\` must be ${g}, got ${k(h)}`)},"wrong");if((typeof o!="string"||o.trim()===
"")&&l("instructions","a text that says the whole task",o),!ee(f)&&!(Array.isArray(f)&&f.every(p=>typeof p=="string"))&&
l("tools","a list of tool names",f),!ee(s)&&typeof s!="string"&&l("systemPrompt","a text",s),!ee(a)&&!(Number.isInteger(
a)&&a>=1)&&l("maxTurns","a whole number of at least 1",a),!ee(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
l("maxCost","a number of US dollars above 0",u),!ee(d)&&typeof d!="boolean"&&l("background","true or false",d),!ee(c)&&!(typeof c==
"string"&&e.includes(c))&&l("agent",`one of ${e.join(", ")}`,c),n.length>0)return{mistakes:n};let m=Object.entries({instructions:o,
tools:f,systemPrompt:s,maxTurns:a,maxCost:u,background:d,agent:c}).filter(([,p])=>!ee(p));return{params:t,checked:Object.
fromEntries(m)}}i(Xs,"check");function Qs(t){return Array.isArray(t)?Et("`tools`",t):t}i(Qs,"listOf");function ee(t){return t==
null}i(ee,"absent");function pt(t,{taskId:e,hostTaskId:n}){if(n===null)return e;let r=t.write(e),o=t.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{slot:s,generation:a}=W(o);return t.call(u=>u.toldId(s,a))}i(pt,"idTold");function uo(t,e){return Zs(t,Me,{},e)}i(uo,"makeTool");function Zs(t,e,n,r,o=!1){let{names:s,descriptions:a}=t.agents,u=ei(
r.parameters,s),d=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,c=i(f=>so(f,s),"check");return ni(new ht(t,e,n,{},o),{name:r.name,description:d,schema:u,check:c})}i(Zs,"assemble");
function ei(t,e){if(e.length===0)return{...t};let n={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...t,properties:{...t.properties,agent:n}}}i(ei,"withAgents");function ni(t,e,n){let{
name:r,description:o,schema:s,check:a}=e;return to({name:r,label:"Sub-agent",description:o,schema:s,check:i(u=>a(u),"che\
ck"),async call(u,d){let c=a(u);return await n?.(c,d)??t.run(c,d)},detailsOf:i(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}i(ni,"spawnTool");var ht=class{static{i(this,"SpawnC\
all")}runtime;actor;options;others;isAlone;constructor(e,n,r,o={},s=!1){this.isAlone=s,this.runtime=e,this.actor=n,this.
options=r,this.others=o}async run(e,n){this.runtime.check();let r=await this.answer(e,n),{onDetails:o}=this.options;return o!==
void 0&&this.runtime.tell(()=>o(r.details,n.toolCallId)),r}async answer(e,n){let{signal:r,toolCallId:o,progress:s}=n;if("\
mistakes"in e)return this.refused(`${e.mistakes.join("; ")}. Correct the arguments and call again.`);let a=this.hostLimit();
if(a!==void 0)return this.refused(a.why,void 0,a.full);if(r?.aborted===!0)return this.refused("the call was aborted befo\
re it began.");let{params:u,checked:d}=e,c,f,{backgroundTimeoutMs:l}=this.options,[m,p,g]=[this.keyOf(o,u),this.originOf(),
this.metadataOf(o,u)];try{let A=L("what `idempotencyKey` returns",m),P={...d,...A!==void 0&&{idempotencyKey:A},...p!==void 0&&
{origin:p},...g!==void 0&&{metadata:g}};f=_e(P,this.runtime,!0),f.background&&l!==void 0&&(f=_e({...P,timeoutMs:l},this.
runtime,!0)),f.signal=r,f.answers=this.answers,this.options.format==="json"&&(rn(f).json=!0),s!==void 0&&!f.background&&
(f.watch=oo(s)),c=Fr(this.runtime,this.actor,f,u)}catch(A){if(we(A))return typeof A.details.report=="string"?this.reported(
A.details.report):this.refused(`${ri(Ue(A))}${ai(A.code)}`,A);throw A}let h=f.staged?.modelId??this.modelOf(c);try{return f.
repeated===!0?await this.repeated(c,f.background,r):f.background?(await(c.named&&yt(c.named.promise,M(this.runtime,"grac\
eMs"))),this.runtime.check(),ti(r)||this.isAlone&&c.result?.success===!1?await this.outcome(c,h):this.movedOn(c,h)):await this.
outcome(c,h)}catch(A){if(we(A)&&c.result!==void 0)return this.ended(c,c.result,h);throw A}}async outcome(e,n){try{let r=await this.
runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,n):this.ended(e,r,n)}catch(r){
if(we(r)&&r.code==="needs_input")return this.asks(e,n);throw r}}keyOf(e,n){let{idempotencyKey:r}=this.options;return r===
void 0?void 0:r(e,n)}metadataOf(e,n){let{metadata:r}=this.options;return typeof r=="function"?r(e,n):r}originOf(){let{origin:e}=this.
options;return typeof e=="function"?e():e}async repeated(e,n,r){let o=this.runtime.lookup.snapshot(e.slot,e.generation),
s=o.modelId??void 0;if(n){let{taskId:a,status:u,label:d}=o,c={...ao(o),taskId:a,background:!0,status:u,durationMs:null,turns:null,
cost:null},f=`Subagent [${E(d,z)}] was started before (id: ${pt(this.runtime,o)}); it is ${u}.`;return{text:this.told(f,
a,u),details:this.withModel(c,s)}}try{let a=await this.runtime.waits.waitFor(this.actor,e,Number.POSITIVE_INFINITY,r);return a.
backgrounded?this.started(e,s):this.ended(e,a,s)}catch(a){if(we(a)&&a.code==="needs_input")return this.asks(e,s);if(!(we(
a)&&a.code==="aborted"))throw a;let u=io(o),d={...ao(o),taskId:o.taskId,background:!1,status:u,durationMs:null,turns:null,
cost:null},c=`The call was aborted; sub-agent ${pt(this.runtime,o)}, which was started before, goes on.`;return{text:this.
told(c,o.taskId,u),details:this.withModel(d,s)}}}get answers(){let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,n){
let{slot:r,generation:o,taskId:s}=e,{actor:a}=this,u=this.runtime.call(p=>p.questionText(r,o));if(!this.runtime.act(p=>p.
moveToBackground(y(),a.slot,a.generation,a.run,r,o)))return this.outcome(e,n);this.letGoOfCall(e);let f=`${u===void 0?`S\
ubagent [${E(e.brief().label,z)}] (id: ${this.runtime.call(p=>p.toldId(r,o))}) asked, and has been answered meanwhile.`:
`${u}
${eo(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,l=this.isJson?pe({...un(s,
"running",null),output:f}):f,m={taskId:s,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:l,
details:this.withModel(m,n)}}movedOn(e,n){return this.letGoOfCall(e),this.started(e,n)}letGoOfCall(e){e.unfollow?.(),e.unfollow=
void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:n}=this.runtime.functions;if(e!==void 0)try{if(e()===!0)return;let r=n?.();
return{why:`${r===void 0?"the limit of sub-agents is reached":`${r.active} of ${r.limit} sub-agents are running`}. Wait \
until one ends, or do the work yourself.`,full:{active:r?.active,limit:r?.limit}}}catch(r){return{why:`the host could no\
t say whether a sub-agent may start: ${E(S(r),De)}.`}}}refused(e,n,r=si(n)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,
a=r===void 0?Le(this.runtime,"refused",s?.refused,{reason:e,text:o}):Le(this.runtime,"limitReached",s?.limitReached,{...r,
text:o}),u=this.detailsOfNone(n),{taskId:d,status:c}=u;return{text:this.told(a,d||null,c,a),details:u}}detailsOfNone(e){
let n=e?.code==="idempotency_forgotten",r=n?e.details.taskId:"",o=n?"forgotten":"refused";return this.withModel({taskId:r,
background:!1,status:o,durationMs:null,turns:null,cost:null})}get texts(){return this.isJson?void 0:this.options.texts}get isJson(){
return this.options.format==="json"}told(e,n,r,o=null){return this.isJson?pe(un(n,r,o)):e}reported(e){let n=this.detailsOfNone();
return{text:this.isJson&&Yn(e)===void 0?pe({...un(null,"refused",null),output:e}):e,details:n}}started(e,n){let{taskId:r,
hostTaskId:o,slot:s,generation:a}=e,{collect:u}=this.others,d=this.runtime.call(A=>A.toldId(s,a)),c=e.snapshot(),{label:f}=c,
l=io(c),m=`${cn({label:f,taskId:d})}${u===void 0?"":` ${u} gets its result.`}`,p=Le(this.runtime,"started",this.texts?.started,
{id:d,taskId:r,hostTaskId:o,label:f,text:m}),g=this.told(p,r,l),h={taskId:r,background:!0,status:l,durationMs:null,turns:null,
cost:null};return o!==void 0&&(h.hostTaskId=o),{text:g,details:this.withModel(h,n)}}ended(e,n,r){let{status:o,hostStatus:s}=n,
{turns:a,costUsd:u,durationMs:d}=n.figures,{rest:c}=this.others,l=c!==void 0&&!this.isJson&&this.runtime.write(n.output)>
M(this.runtime,"inlineBytes")?`${n.text}
${c} shows what was left out.`:n.text,m={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:a,cost:u};n.
hostTaskId!==void 0&&(m.hostTaskId=n.hostTaskId),s!==void 0&&(m.hostStatus=s),n.artifacts.length>0&&(m.artifacts=n.artifacts);
let p=o==="completed"?"completed":"failed",g=this.texts?.[p];return{text:g===void 0?l:Le(this.runtime,p,g,this.factsOf(e,
n,m,l)),details:this.withModel(m,r)}}modelOf({slot:e,generation:n}){return this.runtime.isClosed?void 0:this.runtime.call(
r=>r.modelId(e,n))}factsOf(e,n,{turns:r,cost:o,durationMs:s},a){let{taskId:u,slot:d,generation:c}=e,{hostTaskId:f,status:l,
stopReason:m,output:p}=n,g=this.runtime.call(I=>I.toldId(d,c)),h=oi(e),A=a.indexOf(`
`),P=A<0?"":a.slice(A+1);return{id:g,taskId:u,hostTaskId:f,label:h,status:l,stopReason:m,turns:r,cost:o,durationMs:s,output:p,
fenced:P,text:a}}withModel(e,n){try{let r=n??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function ti(t){return t?.aborted===!0}i(ti,"hasFired");function io({status:t}){return t==="pending"?
"pending":"running"}i(io,"underWay");function we(t){return _n(t)&&t.code!=="disposed"&&t.code!=="internal"}i(we,"isRefus\
al");function ri(t){return/[.!?…]$/u.test(t)?t:`${t}.`}i(ri,"sentence");function oi(t){try{return t.brief().label}catch(e){
if(we(e))return"";throw e}}i(oi,"labelOf");function si(t){if(t===void 0||!ii.has(t.code))return;let{active:e,limit:n}=t.
details;return{active:e,limit:n}}i(si,"fullBy");var ii=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function ai(t){return["concurrency_limit","queue_full","children_limit"].includes(t)?" Wait \
until one ends, or do the work yourself.":["budget_exhausted","depth_limit","draining","abandoned_limit","tasks_limit"].
includes(t)?" Do the work yourself.":""}i(ai,"adviceOn");function ao({hostTaskId:t}){return t===null?{}:{hostTaskId:t}}i(
ao,"hostIdOf");var vn=class{static{i(this,"Runtime")}host;door;core;functions;agents=new le(void 0);profiles=new me(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new kn(
this);hosts;waits=new Sn(this);lookup=new hn(this);listeners;sessionData=new An(this);contexts=new Qe;pins=new wn(this);wakes=new xn(
this);signals=new pn;keepAlive;alarm;runMaker;closed;constructor(e,n,r){this.functions=n,this.runMaker=r,this.door=new fn(
this),this.alarm=new ne(ui(ye(this.door))),this.keepAlive=new yn(this.alarm,this),this.host=Pr(this,this.door,this.alarm),
this.core=new e.SubAgentCore(this.host),e.onFailure=o=>this.poison(o),this.scratch=new We(this.core,e.memory),this.hosts=
new bn(this,this.scratch,this.alarm),this.listeners=new ln(this,this.scratch),this.gates=new ge(this,{},{})}check(){if(this.
closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.code===
"disposed"}call(e){this.check();let n=B(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{U(n)}}carryOut(){
if(this.closed!==void 0)return;let e=B(this);try{this.core.carryOut()}catch(n){this.poison(n)}finally{U(e)}}act(e){let n=this.
call(e);return this.carryOut(),this.expectSound(),n}order(e){if(!this.call(e))throw this.refusal();this.carryOut(),this.
expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)throw this.closed}unasked(e){if(this.closed!==void 0)
return;let n=B(this);try{return e(this.core)}catch(r){this.poison(r);return}finally{U(n)}}alone(e){e.catch(n=>{n!==this.
closed&&this.report(n)})}refusal(){let{code:e,message:n,told:r,details:o}=this.call(s=>s.refusal());return this.carryOut(),
Be(new w(e,n,o),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){let n=this.call(r=>r.hold());try{return e()}finally{
n&&this.call(r=>r.goOn())}}write(e){try{return this.scratch.write(e)}catch(n){throw this.poison(n)}}writeAll(e){try{return this.
scratch.writeAll(e)}catch(n){throw this.poison(n)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){
this.unasked(e=>e.tick(y())),this.carryOut(),this.wakes.review(),this.hosts.keepAwake(),this.runs.batchOver()}makeRun(e){
return this.runMaker(this,e)}consumerGate(e){return ut(this,e)}makeTool(e){return uo(this,e)}startsStopped(e){if(this.functions.
onError===void 0)return;let n=`${e} abandoned host functions are still running, so nothing starts until one returns; \`ma\
xAbandoned\` raises it`;this.report(new w("abandoned_limit",n,{limit:e}))}report(e){ke(e);let{onError:n}=this.functions;
n===void 0?et(e):nt(()=>n(e),et)}tell(e){nt(e,n=>this.report(n))}dispose(){if(this.closed===void 0){this.close(new w("di\
sposed","the manager has been disposed")),rt(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){
if(Er()){queueMicrotask(()=>this.letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){
let n=new w("internal",`the manager's core failed: ${S(e)}`);this.close(n),rt(this),this.core.__destroy_into_raw(),this.
letGo()}return this.closed}close(e){this.closed=e,this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.
close(),this.waits.rejectAll(e),this.listeners.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.elsewhere.
clear(),this.wakes.clear(),this.signals.clear()}};function ui(t){return()=>t.deref()?.runtime?.tick()}i(ui,"tickThrough");var co=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],di=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function fo(t,e,n,r){let{functions:o,bounds:s,settings:a,tools:u,agents:d,profiles:c,policies:f,mainLimits:l,bus:m}=x("t\
he options of a manager",()=>ci(e)),p=new vn(t,o,n);p.agents=d,p.profiles=c,m!==void 0&&(p.functions.onWake=Or(m,g=>{p.isClosed||
p.report(g)}));try{r!==void 0&&Gt(p,r),s.apply(p,a),p.gates=new ge(p,f,l),p.contexts.matter&&p.call(h=>h.tellForgotten());
let{blockedTools:g}=p.gates.sub;g.length>0&&p.order(h=>h.blockTools(y(),[...g])),u!==void 0&&p.order(h=>h.setTools(y(),h.
defaultSession(),u))}catch(g){throw p.dispose(),g}return p}i(fo,"open");function ci(t){let e=O("the options of a manager",
t),n={},r=new sn,o={},s,a=new le(e.agents),u=new me(e.profiles),d={},c,f={};for(let[l,m]of Object.entries(e))if(!(m===void 0||
l==="agents"||l==="profiles")){if(co.includes(l)){if(typeof m!="function")throw b(`\`${l}\``,"a function",m);n[l]=l==="o\
nWake"?fe(m):m}else if(!r.take(l,m))if(l==="retry")o.retry=nn(l,m);else if(l==="bus"){if(e.onWake!==void 0)throw J("`bus\
` and `onWake`",l);c=Rr(m)}else if(l==="modelId"){let p=L("`modelId`",m);if(e.getModelId!==void 0)throw J("`modelId` and\
 `getModelId`",l);n.getModelId=()=>p}else if(l==="tools")s=V("`tools`",m);else if(l==="policies")d=fi(m);else if(l==="ma\
inLimits")f=li("mainLimits",m);else throw Ae("a manager",l,[...co,...pr,...di])}return a.checkProfiles(u),{functions:n,bounds:r,
settings:o,tools:s,agents:a,profiles:u,policies:d,mainLimits:f,bus:c}}i(ci,"read");function fi(t){if(Array.isArray(t))throw b(
"`policies`","an object with subAgents or main",t);let{subAgents:e,main:n,...r}=O("`policies`",t);return G("policies",r,
["subAgents","main"]),{...e!==void 0&&{subAgents:e},...n!==void 0&&{main:n}}}i(fi,"policySets");function li(t,e){let{maxTurns:n,
maxContextTokens:r,timeoutMs:o,...s}=O(`\`${t}\``,e);G(t,s,["maxTurns","maxContextTokens","timeoutMs"]);let a={},u=R(`\`${t}\
.maxTurns\``,n),d=R(`\`${t}.maxContextTokens\``,r),c=ie(`\`${t}.timeoutMs\``,o);return u!==void 0&&(a.maxTurns=u),d!==void 0&&
(a.maxContextTokens=d),c!==void 0&&(a.timeoutMs=c),a}i(li,"mainLimitsOf");function Vl(t,e){return fo(t,e,(n,r)=>new Xe(n,r))}i(Vl,"open");export{fn as Door,_r as ENDED,md as MOVED,ld as PENDING,Qu as abortRun,id as askDone,Pr as attach,cd as consumerGate,B as enter,
dd as facts,Er as isInside,U as leave,fd as makeTool,Vl as open,rd as policiesDue,rt as release,ud as runEnded,Xu as runRetried,
zu as startRun,od as startsStopped,nd as taskClosed,ed as taskForgotten,Zu as turnReady,ad as waitDone,sd as wakeAt,td as wakeSession};
