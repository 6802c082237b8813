var vo=Object.defineProperty;var i=(t,e)=>vo(t,"name",{value:e,configurable:!0});var vt;function h(){return vt??=Date.now()-performance.now(),vt+performance.now()}i(h,"now");var jt=2147483647;function Pt(t,e){
return new Promise(n=>{let r=e<=jt?setTimeout(n,e):void 0,o=i(()=>{clearTimeout(r),n()},"over");t.then(o,o)})}i(Pt,"with\
in");var se=class{static{i(this,"Alarm")}timer;at=0;held=!1;keeps;ring;constructor(e){this.ring=()=>{this.timer=void 0,h()<
this.at?this.arm():e()}}set(e){this.at=e,this.timer!==void 0&&clearTimeout(this.timer),this.arm()}hold(e){if(this.held===
e)return;this.held=e;let n=this.timer;e?n?.ref?.():n?.unref?.()}stop(){this.timer!==void 0&&clearTimeout(this.timer),this.
timer=void 0}arm(){this.timer=setTimeout(this.ring,Math.min(Math.max(Math.ceil(this.at-h()),1),jt)),this.held||this.timer.
unref?.()}};var Et=[[0,32],[127,160],[5760,5760],[8192,8202],[8232,8233],[8239,8239],[8287,8287],[12288,12288]],Mn=[[173,173],[847,847],
[1564,1564],[4447,4448],[6068,6069],[6155,6159],[8203,8203],[8206,8207],[8234,8238],[8288,8303],[12644,12644],[65024,65037],
[65279,65279],[65440,65440],[65520,65531],[65534,65535],[113824,113827],[119155,119162],[917504,921599]],Fn=[["'","’"],
['"',"’"],["`","’"],["“","‘"],["”","’"],["[","("],["]",")"],["<","‹"],[">","›"],["＇","’"],["＂","’"],
["｀","’"],["［","("],["］",")"],["＜","‹"],["＞","›"]],Z=80,Ue=500,Ke=300,It=80;function Dn(t,e){return t.some(([n,r])=>n<=e&&e<=r)}i(Dn,"isIn");var _t;function jo(){let t=Fn.map(([r])=>r),n=`[${Array.
from({length:94},(r,o)=>String.fromCharCode(33+o)).filter(r=>!t.includes(r)).map(r=>`\\x${r.charCodeAt(0).toString(16)}`).
join("")}]+`;return new RegExp(`^${n}(?: ${n})*$`)}i(jo,"plainWords");function E(t,e=It){if(_t??=jo(),t.length<=e&&_t.test(
t))return t;let n="",r=0,o=!1;for(let s of t){let a=s.codePointAt(0);if(Dn(Mn,a))continue;if(Dn(Et,a)){o=r>0;continue}let u=r+
(o?2:1);if(u>e)return`${n}…`;let d=a>=55296&&a<=57343?"�":Fn.find(([c])=>c===s)?.[1]??s;n+=o?` ${d}`:d,o=!1,r=u}return n}
i(E,"quoted");function Be(t){let e="";for(let n of JSON.stringify(t)){let r=n.codePointAt(0),o=r<127||r>160&&r!==8232&&r!==8233&&!Dn(Mn,
r);e+=o?n:Po(n)}return e}i(Be,"jsonForModel");function Po(t){return Array.from({length:t.length},(e,n)=>`\\u${t.charCodeAt(
n).toString(16).padStart(4,"0")}`).join("")}i(Po,"escaped");var Ct=!1;function Ln(t){Ct=t}i(Ln,"withinCore");function Ae(t){try{for(let e=t,n=0;e instanceof Error&&n<8;e=e.cause,n+=
1)e.stack}catch{}}i(Ae,"letStackGo");var b=class extends Error{static{i(this,"SubAgentError")}name="SubAgentError";code;details;constructor(e,n,r={},o){
super(n,o),this.code=e,this.details=r,Ct&&Ae(this)}};function $t(t,e){try{if(!(t instanceof Error)||t.name!=="SubAgentEr\
ror")return!1;let{code:n}=t;return e===void 0?typeof n=="string":n===e}catch{return!1}}i($t,"isSubAgentError");var Nt=new WeakMap;
function We(t,e){return e!==t.message&&Nt.set(t,e),t}i(We,"tellingModels");function Ge(t){return Nt.get(t)??x(t)}i(Ge,"t\
oldOf");function g(t,e,n){let r=`${t} must be ${e}, got ${w(n)}`;return new b("invalid_argument",r,{argument:t.replaceAll(
"`",""),expected:e})}i(g,"invalid");function w(t){return typeof t=="string"?t.length>40?`a string of ${t.length} charact\
ers`:Be(t):t==null||typeof t=="number"||typeof t=="boolean"?String(t):typeof t=="object"?Eo(t):`a ${typeof t}`}i(w,"desc\
ribe");function Eo(t){try{return Array.isArray(t)?t.length===0?"an empty list":"a list":"an object"}catch{return"an obje\
ct"}}i(Eo,"listOrObject");function x(t){try{if(typeof t=="string")return t;if(t instanceof Error)return String(t.message)||
String(t.name)||"an error without a message";if(typeof t=="object"&&t!==null&&typeof t.message=="string")return t.message}catch{}
return`threw ${w(t)}`}i(x,"messageOf");var Je=class{static{i(this,"Scratch")}view=new Uint8Array(0);whole=new Uint8Array(0);encoder=new TextEncoder;decoder=new TextDecoder;core;memory;constructor(e,n){
this.core=e,this.memory=n}write(e,n=0){let r=n+e.length*3;return(this.view.length<r||this.view.length===0)&&this.grow(r),
this.encoder.encodeInto(e,n===0?this.view:this.view.subarray(n)).written}writeAll(e){let n=3*e.reduce((o,s)=>o+ie(s),0);
(this.view.length<n||this.view.length===0)&&this.grow(n);let r=0;return e.map(o=>{if(o===void 0)return 4294967295;let s=this.
write(o,r);return r+=s,s})}writeEnd(e){let{output:n,error:r,hostStatus:o,hostTaskId:s,artifactsJson:a,valueJson:u}=e,d=n.
length+ie(r)+ie(o)+ie(s)+ie(a)+ie(u);(this.view.length<d*3||this.view.length===0)&&this.grow(d*3);let c={output:this.write(
n),error:4294967295,status:4294967295,id:4294967295,artifacts:4294967295,value:4294967295},f=c.output;return r!==void 0&&
(f+=c.error=this.write(r,f)),o!==void 0&&(f+=c.status=this.write(o,f)),s!==void 0&&(f+=c.id=this.write(s,f)),a!==void 0&&
(f+=c.artifacts=this.write(a,f)),u!==void 0&&(c.value=this.write(u,f)),c}writeBytes(e){return(this.view.length<e.length||
this.view.length===0)&&this.grow(e.length),this.view.set(e),e.length}renew(){this.view=new Uint8Array(0)}read(e,n){return n===
0?"":this.decoder.decode(new Uint8Array(this.memory.buffer,e,n))}memoryView(){return this.whole.length===0&&(this.whole=
new Uint8Array(this.memory.buffer)),this.whole}copy(e,n){return new Uint8Array(this.memory.buffer,e,n).slice()}get memoryBytes(){
return this.memory.buffer.byteLength}letGo(){this.view=new Uint8Array(0),this.whole=new Uint8Array(0),this.core=void 0,this.
memory={buffer:new ArrayBuffer(0)}}grow(e){let n=Math.max(e,4096),r=this.core.scratch(n);this.view=new Uint8Array(this.memory.
buffer,r,n)}};function ie(t){return t===void 0?0:t.length}i(ie,"lengthOf");var Mt=new WeakMap;function Dt(t){if(_o(t))return t;let e=Mt.get(t);if(e===void 0){let n=new AbortController;t.addEventListener(
"abort",()=>Ft(n,t),{once:!0}),Mt.set(t,n),e=n}return t.aborted===!0&&Ft(e,t),e.signal}i(Dt,"tamed");function Ft(t,e){let n;
try{({reason:n}=e)}catch(r){n=r}t.abort(n)}i(Ft,"fire");var Io=["aborted","reason","addEventListener","removeEventListen\
er"];function _o(t){return Object.getPrototypeOf(t)===AbortSignal.prototype&&!Io.some(e=>Object.hasOwn(t,e))}i(_o,"isPla\
tforms");var Lt={prompt:"instructions",input:"instructions",concurrency:"maxConcurrent",maxsteps:"maxTurns",maxretries:"retry",abortsignal:"\
signal",name:"nickname"};function Kt(t,e){let n=Ut(t);if(n.length>40)return;let r,o=Number.POSITIVE_INFINITY,s=Object.hasOwn(
Lt,n)?Lt[n]:void 0;for(let a of e){if(a===s)return a;let u=Co(n,Ut(a));u>=o||(o=u,r=a)}return r}i(Kt,"nearestOf");function Ut(t){
return t.toLowerCase().replaceAll(/[_-]/g,"")}i(Ut,"plain");function Co(t,e){let[n,r]=t.length<e.length?[t,e]:[e,t],o=$o(
t,e);return o<=Math.min(3,Math.floor(r.length/3))?o:n.length>=3&&r.startsWith(n)?40+o:Number.POSITIVE_INFINITY}i(Co,"dis\
tanceOf");function $o(t,e){let n=[],r=Array.from({length:e.length+1},(o,s)=>s);for(let o=1;o<=t.length;o+=1){let s=[o];for(let a=1;a<=
e.length;a+=1){let u=t[o-1]===e[a-1],d=Math.min((r[a]??0)+1,(s[a-1]??0)+1,(r[a-1]??0)+(u?0:1));o>1&&t[o-1]===e[a-2]&&t[o-
2]===e[a-1]&&(d=Math.min(d,(n[a-2]??0)+1)),s.push(d)}[n,r]=[r,s]}return r[e.length]??0}i($o,"editsOf");var Bt=100,Wt=1048576,_=16777216;function j(t,e,n="an object"){return T(t,()=>{if(ae(t,e,n),Array.isArray(e))throw g(t,n,
e);let r=Object.create(null);for(let o of Gt(e))for(let s of Object.getOwnPropertyNames(o))!(s in r)&&Mo(o,s)&&No(r,s,e[s]);
return r})}i(j,"optionsOf");function No(t,e,n){Object.defineProperty(t,e,{value:n,enumerable:!0,configurable:!0,writable:!0})}
i(No,"define");function Mo(t,e){let{enumerable:n,get:r}=Object.getOwnPropertyDescriptor(t,e)??{};return n===!0||r!==void 0}
i(Mo,"isGiven");function Gt(t){let e=[t],n=Object.getPrototypeOf(t);for(;n!==null&&!Fo(n);){if(e.push(n)>Bt)throw new Error(
`it inherits from more than ${Bt} objects`);n=Object.getPrototypeOf(n)}return e}i(Gt,"levelsOf");function Fo(t){return t===
Object.prototype||Object.getPrototypeOf(t)===null&&Object.hasOwn(t,"hasOwnProperty")}i(Fo,"isRoot");function L(t,e){return Un(
t,e,t[e])}i(L,"propertyOf");function Un(t,e,n){return n===void 0||Object.hasOwn(t,e)||Object.getPrototypeOf(t)!==Object.
prototype&&Gt(t).some(o=>Object.hasOwn(o,e))?n:void 0}i(Un,"ownOf");function ae(t,e,n="an object"){if(typeof e=="object"&&
e!==null)return e;throw g(t,n,e)}i(ae,"objectOf");function F(t,e,n,r){return T(t,()=>{if(!Array.isArray(n))throw g(t,e,n);
let{length:o}=n;if(!(o<=Wt))throw g(t,`a list of at most ${Wt} entries`,o);let s=[];for(let a=0;a<o;a+=1){let u=t.endsWith(
"`")?`${t.slice(0,-1)}[${a}]\``:`${t}[${a}]`;s.push(r(Object.hasOwn(n,a)?T(u,()=>n[a]):void 0,u))}return s})}i(F,"listOf");
function Jt(t,e){return F(t,"a list",e,n=>n)}i(Jt,"entriesOf");function I(t,e){if(typeof e!="string")throw g(t,"a string",
e);if(e.length>_)throw g(t,`a text of at most ${_} characters`,e);return e}i(I,"textOf");function ue(t,e){let n=I(t,e);if(Kn(
n))return n;throw g(t,"well-formed text, as `toWellFormed()` makes it",e)}i(ue,"nameOf");function Kn(t){return t.isWellFormed?.()??
!Do.test(t)}i(Kn,"isWellFormed");var Do=/\p{Surrogate}/u;function Ht(t,e,n,r=`the options of ${t}`){return T(r,()=>{let o=j(
r,e),s=Object.keys(o).find(a=>!n.includes(a));if(s!==void 0)throw xe(t,s,n);return o})}i(Ht,"knownOptions");function q(t,e){return new b("invalid_argument",`${t} say the same: give one`,{argument:e})}i(q,"saidTwice");function xe(t,e,n){
return Oe(`${t} has no option \`${e}\``,e,n,{argument:e})}i(xe,"unknownOption");function G(t,e,n){let[r]=Object.keys(e);
if(r===void 0)return;let o=`${t}.${r}`;throw Oe(`\`${t}\` has no \`${r}\``,r,n,{argument:o},`; it has ${n.join(", ")}`)}
i(G,"noOtherFields");function He(t,e,n){return Oe(`${t} has no \`${e}\``,e,n,{argument:e},`; it has ${n.join(", ")}`)}i(
He,"unknownField");function Oe(t,e,n,r,o=""){let s=Kt(e,n);return s===void 0?new b("invalid_argument",t+o,r):new b("inva\
lid_argument",`${t}; did you mean \`${s}\`?`,{...r,suggestion:s})}i(Oe,"unknownPart");function T(t,e){try{return e()}catch(n){
throw Bn(t,n)}}i(T,"readArgument");function Bn(t,e){return Wn(e)?e:new b("invalid_argument",`${t} can't be read: ${x(e)}`,
{argument:t.replaceAll("`","")},{cause:e})}i(Bn,"unreadable");function Wn(t){try{return t instanceof b}catch{return!1}}i(
Wn,"isOurs");function Ve(t,e){if(e!==void 0)return T(t,()=>{let{aborted:n,addEventListener:r,removeEventListener:o}=Object(
e);if(typeof n=="boolean"&&typeof r=="function"&&typeof o=="function")return Dt(e);throw g(t,"an AbortSignal",e)})}i(Ve,
"signalOf");var Lo=100,Uo=500,Ko=["completed","cancelled","blocked_on_user"];function Bo({status:t="pending"}){return!Ko.includes(t)}
i(Bo,"isOpenTodo");function Vt(t){let e=0,n=[],r=F("`todos`","a list of { content, status }",t,(o,s)=>{let{content:a,description:u,
status:d="pending"}=Object(o),c=a??u;if(typeof c!="string")throw g(`the \`content\` or \`description\` of ${s}`,"a strin\
g",c);if(typeof d!="string")throw g(`the \`status\` of ${s}`,"a string",d);return{content:c,status:d}});for(let{content:o,
status:s}of r){let a={content:qe(o,Uo),status:qe(s,40)};Bo(a)&&(e+=1),n.length<Lo&&n.push(a)}return{open:e,json:JSON.stringify(
n)}}i(Vt,"readTodos");function qt(t,{slot:e,generation:n,run:r},{open:o,json:s}){let a=t.write(s);t.act(u=>u.todos(h(),e,
n,r,o,a))}i(qt,"reportTodos");function Te(t){return t===""?[]:JSON.parse(t)}i(Te,"parseTodos");function qe(t,e){return t.
length<=e?t:Array.from(t.slice(0,e*2)).slice(0,e).join("")}i(qe,"firstChars");function J(t,e){return e===void 0?void 0:I(t,e)}i(J,"string");function Y(t,e){return e===void 0?void 0:F(t,"a list of st\
rings",e,(n,r)=>I(r,n))}i(Y,"strings");function Ye(t,e){return e===void 0?void 0:ue(t,e)}i(Ye,"name");function C(t,e){if(e!==
void 0){if(typeof e=="number"&&e>=1&&(Number.isInteger(e)||e===Number.POSITIVE_INFINITY))return e;throw g(t,"a whole num\
ber of at least 1, or Infinity",e)}}i(C,"count");function de(t,e){if(e!==void 0){if(typeof e=="number"&&e>0)return e;throw g(
t,"a number above 0, or Infinity",e)}}i(de,"amount");function ze(t,e,n=!1){if(e!==void 0){if(n&&e===0)return 0;if(typeof e==
"number"&&e>0)return Math.max(1,Math.round(e));throw g(t,`milliseconds ${n?"of at least":"above"} 0, or Infinity`,e)}}i(
ze,"duration");function Yt(t,e){if(e!==void 0){if(typeof e=="number"&&Number.isSafeInteger(e))return e;throw g(t,"a whol\
e number",e)}}i(Yt,"integer");function Re(t,e){if(e===void 0)return{};let n=j(`\`${t}\``,e,"an object with tokens, costU\
sd or turns"),{tokens:r,costUsd:o,turns:s,...a}=n;G(t,a,["tokens","costUsd","turns"]);let u={},[d,c,f]=[C(`\`${t}.tokens\
\``,r),de(`\`${t}.costUsd\``,o),C(`\`${t}.turns\``,s)];return d!==void 0&&(u.tokens=d),c!==void 0&&(u.costUsd=c),f!==void 0&&
(u.turns=f),u}i(Re,"readBudget");function z(t){let e=t;return e.isWellFormed?.()===!1?e.toWellFormed?.()??t:t}i(z,"wellFormed");function Xe(t,e){let n=0;
for(let r=0;r<t.length;){let o=t.codePointAt(r);if(n+=o<128?1:o<2048?2:o<65536?3:4,n>e)return t.slice(0,r);r+=o>65535?2:
1}return t}i(Xe,"headOf");function Qe(t,e,n,r={left:e}){let o=Math.max(0,r.left-e),s=JSON.stringify(t,(a,u)=>{if(r.left-=typeof u=="string"?u.length:
1,r.left<o)throw new Error(n);return u});if(s!==void 0&&s.length>e)throw new Error(n);return s}i(Qe,"jsonWithin");var Ze=20,Wo=1e3;function zt(t,e,n){let r=[],o=[],s=_,a={left:2*_},u=0;return F(t,"a list",e,(d,c)=>{if(u>=Ze&&a.left===
0){u+=1;return}try{let f=Qe(d,s,`the artifacts have more than ${_} characters`,a);if(f===void 0)throw new Error(`JSON ha\
s no ${w(d)}`);s=Math.max(0,s-f.length-1),o.push(f),r.push(d)}catch(f){u+=1,a.left=Math.max(0,a.left-Wo),u<=Ze&&n(`${c} \
was not kept: ${x(f)}`,c)}}),u>Ze&&n(`${u-Ze} more artifacts were not kept`,t),o.length===0?{artifacts:void 0,artifactsJson:void 0}:
{artifacts:r,artifactsJson:`[${o.join(",")}]`}}i(zt,"readArtifacts");var ce=0,Go=1,Jo=2,Ho=3,Vo=4,en=5,qo=6,v=-1,Yo={name:"status",of:i(t=>t.status,"of")},zo={name:"output",of:i(t=>t.output,
"of")},Xo={name:"value",of:i(t=>t.value,"of")},Qo={name:"taskId",of:i(t=>t.taskId,"of")},Zo={name:"error",of:i(t=>t.error,
"of")},es={name:"artifacts",of:i(t=>t.artifacts,"of")},ns={name:"usage",of:i(t=>t.usage,"of")},ts={name:"costUsd",of:i(t=>t.
costUsd,"of")},rs={name:"cost",of:i(t=>t.cost,"of")},os={name:"tokens",of:i(t=>t.tokens,"of")},ss={name:"inputTokens",of:i(
t=>t.inputTokens,"of")},is={name:"outputTokens",of:i(t=>t.outputTokens,"of")},as={name:"turns",of:i(t=>t.turns,"of")},us={
name:"durationMs",of:i(t=>t.durationMs,"of")},ds={name:"then",of:i(t=>t.then,"of")};function Jn(t,{name:e,of:n}){return Un(
t,e,n(t))}i(Jn,"readOf");function le(t){if(typeof t!="object"||t===null)return ve(`spawnSubAgent must resolve to { outpu\
t, status, usage }, it resolved to ${w(t)}`);let e=new Gn(t),{tokens:n,cost:r,turns:o,durationMs:s}=ls(e),a=e.read(Yo),u=e.
read(zo),d=bs(a,e),c=typeof u=="string"?z(u):void 0,f=cs(e),l=c===void 0&&(me(u)?d===ce&&f===void 0:!0);l&&e.wrong("outp\
ut","a string",u);let{artifacts:m,artifactsJson:p}=gs(e),k=fs(e),y=hs(e);return{how:l&&d===ce?en:d,output:c??"",error:e.
told(y),cause:e.cause,hostStatus:typeof a=="string"&&a!=="completed"?Hn(a):void 0,hostTaskId:k,artifacts:m,artifactsJson:p,
value:f,valueJson:void 0,tokens:n,cost:r,turns:o,durationMs:s}}i(le,"readResult");var fe=Symbol("unreadable"),Gn=class{static{
i(this,"Fields")}cause=void 0;#e;#n;constructor(e){this.#e=e}read(e){try{return Jn(this.#e,e)}catch(n){return this.#n===
void 0&&(this.cause=n),this.drop(`the result's ${e.name} can't be read: ${x(n)}`),fe}}wrong(e,n,r){r!==fe&&this.drop(`th\
e result's ${e} must be ${n}, got ${w(r)}`)}drop(e){this.#n??=[],this.#n.push(e)}told(e){return this.#n===void 0?e:[...e===
void 0?[]:[e],...this.#n].join("; ")}};function me(t){return t==null}i(me,"isAbsent");function cs(t){let e=t.read(Xo);return e===
fe?void 0:e}i(cs,"madeOf");function fs(t){let e=t.read(Qo);if(!(me(e)||e==="")){if(typeof e=="string")return Hn(e);t.wrong(
"taskId","a string",e)}}i(fs,"hostIdOf");function ls(t){let e=t.read(ns);if(me(e))return{tokens:v,cost:v,turns:v,durationMs:v};
let n=Number.NaN;if(typeof e!="object"||e===null||!ps(e))return t.wrong("usage","{ tokens, costUsd, turns }",e),{tokens:n,
cost:n,turns:n,durationMs:v};let r=i(l=>{try{return Jn(e,l)}catch{return n}},"read"),o=U(r(ts)),s={tokens:Vn(r(os),r(ss),
r(is)),cost:o===v?U(r(rs)):o,turns:U(r(as)),durationMs:U(r(us))},{tokens:a,cost:u,turns:d,durationMs:c}=s;if(a!==v||u!==
v||d!==v||c!==v)return s;let f=ms(e);return f.length===0?s:(t.drop(`the result's usage has none of tokens, costUsd, turn\
s; it has ${f.map(w).join(", ")}`),{tokens:n,cost:n,turns:n,durationMs:v})}i(ls,"readUsage");function ms(t){try{return Object.
entries(t).filter(([,n])=>!me(n)).slice(0,5).map(([n])=>n)}catch{return[]}}i(ms,"namesIn");function ps(t){try{return!Array.
isArray(t)&&typeof Jn(t,ds)!="function"}catch{return!1}}i(ps,"isUsage");function hs(t){let e=t.read(Zo);if(!(me(e)||e===
""||e===fe))return typeof e=="object"&&(t.cause??=e),z(Hn(x(e)))}i(hs,"errorOf");function gs(t){let e={artifacts:void 0,
artifactsJson:void 0},n=t.read(es);if(me(n)||n===fe)return e;try{return zt("artifacts",n,r=>t.drop(r))}catch(r){return t.
drop(x(r)),e}}i(gs,"artifactsOf");function Hn(t){return t.length>_?t.slice(0,_):t}i(Hn,"cut");function Qt(t,e,n){if(t.how!==
ce)return t;let r=e.check(t.value,n);return r instanceof Promise?r.then(o=>Xt(t,o)):Xt(t,r)}i(Qt,"checkValue");function Xt(t,e){
if("wrong"in e){let o=[e.wrong,...t.error===void 0?[]:[t.error]].join("; ");return{...t,how:en,error:o,value:void 0}}let{
value:n,json:r}=e;return{...t,value:n,valueJson:r,output:t.output||r}}i(Xt,"judged");function U(t){return t==null?v:typeof t==
"number"&&t>=0?t:Number.NaN}i(U,"reading");function Vn(t,e,n){let r=U(t),[o,s]=[U(e),U(n)];return r!==v||o===v&&s===v?r:
(o===v?0:o)+(s===v?0:s)}i(Vn,"totalTokens");function bs(t,e){switch(t){case void 0:case null:case"completed":return ce;case"\
failed":case"error":return Go;case"cancelled":case"aborted":return Jo;case"timed_out":case"timeout":return Ho;default:return typeof t!=
"string"&&e.wrong("status","a string",t),t===fe?en:ce}}i(bs,"statusOf");function ve(t,e){return{how:en,output:"",error:t,
cause:e,hostStatus:void 0,hostTaskId:void 0,artifacts:void 0,artifactsJson:void 0,value:void 0,valueJson:void 0,tokens:v,
cost:v,turns:v,durationMs:v}}i(ve,"invalidResult");function pe(){return{...ve(""),how:ce,error:void 0,tokens:0,cost:0,turns:0}}
i(pe,"nothing");function nn(t,e){return{...ve(t,e),how:$t(e,"worker_lost")?qo:Vo}}i(nn,"threw");function Zt(t,e,n){let r={},{runtime:o,slot:s,generation:a}=t;if(o.call(u=>u.knowsTools(s,a))){let u=t.snapshot().tools??
[];ws(n?.tools,u)||(r.tools=[...u])}if(n?.maxTurns!==void 0||n?.maxCost!==void 0){let u=o.call(d=>d.runLimits(s,a));n.maxTurns!==
void 0&&u!==void 0&&u.maxTurns<n.maxTurns&&(r.maxTurns=u.maxTurns),n.maxCost!==void 0&&u!==void 0&&u.costUsd<n.maxCost&&
(r.maxCost=u.costUsd)}return Object.keys(r).length===0?e:ys(e,r)}i(Zt,"allowed");function ys(t,e){let n=Object.getOwnPropertyDescriptors(
t);for(let[r,o]of Object.entries(e))n[r]={value:o,enumerable:!0,writable:!0,configurable:!0};return Object.create(Object.
getPrototypeOf(t),n)}i(ys,"replaced");function ws(t,e){return t?.length===e.length&&e.every((n,r)=>n===t[r])}i(ws,"isSam\
e");var er={tokens:Number.NaN,cost:Number.NaN},H=class t{static{i(this,"ActiveRun")}slot=0;generation=0;run=0;hostOpen=!1;settled=!1;abortedEarly=!1;text=void 0;#e=void 0;#n=void 0;hostTaskId=void 0;result=void 0;before=void 0;previousError=void 0;successor=void 0;returned=void 0;turn=void 0;unfollow=void 0;asking=void 0;agent=void 0;followers=void 0;overWith=void 0;named=void 0;starting=void 0;watch=void 0;#t=void 0;given;asked;isAllowed=!1;handed=void 0;controller=void 0;aborted=void 0;id=void 0;view=void 0;#r=void 0;runtime;constructor(e,n,r){
this.runtime=e,this.given=n,this.asked=r}get format(){return this.#n??=this.snapshot().format,this.#n}set format(e){this.#n=
e}get background(){return this.#e??=this.snapshot().background,this.#e}set background(e){this.#e=e}get check(){return this.#t??
this.runtime.sessionData.checkOf(this.slot,this.generation)}set check(e){this.#t=e}get taskId(){return this.id??=this.runtime.
lookup.taskId(this.slot,this.generation),this.id}get latest(){let e=this;for(;e.successor!==void 0;)e=e.successor;return e}again(e){
let n=new t(this.runtime,this.given);return n.slot=this.slot,n.generation=this.generation,n.run=this.run+1,n.text=this.text,
n.#e=this.#e,n.#n=this.#n,n.#t=this.#t,n.watch=this.watch,n.before=this.returned,n.previousError={reason:e,error:this.returned?.
error??null},[n.followers,this.followers]=[this.followers,void 0],[n.unfollow,this.unfollow]=[this.unfollow,void 0],this.
named?.resolve(),this.successor=n,n}follow(e){this.followers??=[],this.followers.push(e)}expectName(){let e=i(()=>{},"re\
solve"),n=new Promise(r=>{e=r});this.named={promise:n,resolve:e}}takeStart(){let{starting:e}=this;return e!==void 0&&(this.
starting=void 0),e}params(){if(this.given===void 0){let{tools:e,systemPrompt:n,maxTurns:r,background:o}=this.snapshot(),
s={instructions:this.prompt(),maxTurns:r,background:o,...e&&{tools:e},...n&&{systemPrompt:n}};this.given=this.runtime.journal?.
goesOn===!0?{...s,...this.keptParams()}:s}else this.isAllowed||(this.given=Zt(this,this.given,this.asked));return this.isAllowed=
!0,this.given}keptParams(){let{contextHint:e,nickname:n,modelId:r,sourceAgentId:o,rateLimitKey:s,metadata:a}=this.snapshot();
return Object.fromEntries(Object.entries({contextHint:e||null,nickname:n,modelId:r,agent:o,rateLimitKey:s,metadata:a}).filter(
([,d])=>d!==null))}handedRun(){return this.handed??=this.runtime.makeRun(this),this.handed}prompt(){return this.text??this.
runtime.call(e=>e.message(this.slot))}snapshot(){return this.view??=this.runtime.lookup.snapshot(this.slot,this.generation),
this.view}brief(){return this.#r??=this.runtime.lookup.brief(this.slot,this.generation),this.#r}get signal(){return this.
controller===void 0&&(this.controller=new AbortController,this.aborted!==void 0&&this.controller.abort(this.abortError(this.
aborted))),this.controller.signal}abort(e){this.aborted=e,this.controller?.abort(this.abortError(e))}abortError(e){return new b(
"aborted",`the sub-agent was told to stop: ${e}`,{reason:e})}};var ks=["tokens","inputTokens","outputTokens","costUsd","contextTokens","message","todos"];function tr(t,e,n){let r,o=er;
try{n!==void 0&&(o=Ss(n));let s=e.agent;if(e.turn!==void 0||s?.asksForTurn===!0)throw new b("invalid_argument","the last\
 beforeTurn has not answered yet");let{gates:a,runs:u}=t;if(a.sub.has("before_turn")||s?.hasInjected===!0)return nr(e,a.
beforeTurn(a.agentOf(e),()=>u.takeTurn(e,o)));r=u.takeTurn(e,o)}catch(s){return Promise.reject(s)}return e.watch===void 0?
r:nr(e,r)}i(tr,"beforeTurn");async function nr(t,e){let n=await e;return n.go&&t.watch?.(t,{turn:n.turn}),n}i(nr,"watche\
d");function Ss(t){return T("the options of beforeTurn",()=>{let{tokens:e,costUsd:n}=Ht("beforeTurn",t,["tokens","costUs\
d"]),r=n===0?0:de("`costUsd`",n);return{tokens:C("`tokens`",e)??Number.NaN,cost:r??Number.NaN}})}i(Ss,"estimateOf");function rr(t,e,n){
let{tokens:r,costUsd:o,contextTokens:s,message:a,list:u}=T("a report",()=>{let{tokens:m,inputTokens:p,outputTokens:k,costUsd:y,
contextTokens:S,message:O,todos:A,...V}=j("a report",n),Nn=Vn(m,p,k);for(let De of Object.keys(V))throw He("a report",De,
ks);return O!==void 0&&I("`message`",O),{tokens:Nn,costUsd:y,contextTokens:S,message:O,list:A===void 0?void 0:Vt(A)}});if(t.
isClosed)return;a!==void 0&&t.gates.agentOf(e).say(a);let d=a===void 0?4294967295:t.write(a),{slot:c,generation:f,run:l}=e;
t.act(m=>m.report(h(),c,f,l,r,U(o),U(s),d)),u!==void 0&&qt(t,e,u),a!==void 0&&e.watch?.(e,{message:a})}i(rr,"reportOn");var tn=class{static{i(this,"BareRun")}#e;#n;constructor(e,n){this.#e=e,this.#n=n}get taskId(){return this.#n.taskId}get run(){
return this.#n.run}get prompt(){return this.#n.prompt()}get signal(){return this.#n.signal}beforeTurn(e){return tr(this.#e,
this.#n,e)}report(e){rr(this.#e,this.#n,e)}};var or;function ir(){return or??={capture:As(globalThis)},or.capture}i(ir,"capture");function As({process:t,AsyncLocalStorage:e,AsyncContext:n}){let r=sr(xs(t))??sr(e&&{AsyncLocalStorage:e});if(r!==void 0)
return r;let o=n?.Snapshot;if(typeof o=="function")return Yn(()=>{let s=new o;return{runInAsyncScope:i((a,u,...d)=>s.run(
()=>a.apply(u,d)),"runInAsyncScope")}})}i(As,"find");function xs(t){try{return t?.getBuiltinModule?.("async_hooks")}catch{
return}}i(xs,"builtIn");function sr(t){let{AsyncResource:e,AsyncLocalStorage:n}=t??{};if(typeof e=="function")return Yn(
()=>new e("SubAgent"));if(typeof n?.snapshot=="function")return Yn(()=>{let r=n.snapshot();return{runInAsyncScope:i((o,s,...a)=>r(
()=>o.apply(s,a)),"runInAsyncScope")}})}i(sr,"captureOf");function Yn(t){try{return t().runInAsyncScope(()=>!0)?t:void 0}catch{
return}}i(Yn,"tried");function X(t){let e=ir()?.();return e===void 0?t:((...n)=>e.runInAsyncScope(t,void 0,...n))}i(X,"b\
ound");var rn=class{static{i(this,"Contexts")}kept=[];generations=[];capture=ir();opening=this.capture?.();entered=void 0;get matter(){
return this.capture!==void 0}keep(e,n){this.capture!==void 0&&(this.kept[e]=this.capture(),this.generations[e]=n)}enter(e){
let n=this.entered;return this.entered=this.kept[e],n}leave(e){this.entered=e}run(e,n,r){let o=this.generations[e]===n?this.
kept[e]:this.opening;return o===void 0||o===this.entered?r():o.runInAsyncScope(r)}taskForgotten(e,n){this.generations[e]===
n&&(this.kept[e]=void 0)}clear(){this.kept.length=0,this.generations.length=0}};var je=[{name:"label",alias:void 0,staged:"label",kind:"label",isDefined:!1},{name:"nickname",alias:void 0,staged:"nickn\
ame",kind:"name",isDefined:!1},{name:"contextHint",alias:void 0,staged:"contextHint",kind:"text",isDefined:!0},{name:"to\
ols",alias:void 0,staged:"tools",kind:"texts",isDefined:!0},{name:"systemPrompt",alias:void 0,staged:"systemPrompt",kind:"\
text",isDefined:!1},{name:"profile",alias:"promptProfile",staged:"profile",kind:"reference",isDefined:!0},{name:"modelId",
alias:void 0,staged:"modelId",kind:"text",isDefined:!1},{name:"agent",alias:"agentId",staged:"sourceAgentId",kind:"refer\
ence",isDefined:!1},{name:"maxTurns",alias:"maxSteps",staged:"maxTurns",kind:"count",isDefined:!0},{name:"timeoutMs",alias:void 0,
staged:"timeoutMs",kind:"duration",isDefined:!0},{name:"idleTimeoutMs",alias:void 0,staged:"idleTimeoutMs",kind:"duratio\
n",isDefined:!0},{name:"turnEstimate",alias:void 0,staged:"turnEstimate",kind:"count",isDefined:!0},{name:"priority",alias:void 0,
staged:"priority",kind:"integer",isDefined:!0},{name:"rateLimitKey",alias:void 0,staged:"rateLimitKey",kind:"name",isDefined:!0},
{name:"onParentEnd",alias:void 0,staged:"onParentEnd",kind:"onParentEnd",isDefined:!1},{name:"metadata",alias:void 0,staged:"\
metadata",kind:"metadata",isDefined:!1},{name:"retry",alias:void 0,staged:"retry",kind:"retry",isDefined:!0},{name:"turn\
EstimateUsd",alias:void 0,staged:"turnEstimateUsd",kind:"dollars",isDefined:!0}];var ar=16384,ur=32;function dr(t,e){if(e!==void 0){if(typeof e!="object"||e===null||Array.isArray(e))throw on(t,"a plain\
 object of JSON values",e);return Xn(e,t,0,{left:ar,what:"metadata",most:ar})}}i(dr,"readMetadata");function cr(t){return t===null?null:JSON.parse(t)}i(cr,"metadataOf");function on(t,e,n){return g(`\`${t}\``,e,n)}i(on,"w\
rong");function Xn(t,e,n,r){if(typeof t=="string"||typeof t=="boolean"||t===null)return zn(JSON.stringify(t),r);if(typeof t==
"number"){if(!Number.isFinite(t))throw on(e,"a number that JSON has",t);return zn(JSON.stringify(t),r)}if(typeof t!="obj\
ect")throw on(e,"a value that JSON has",t);if(n>=ur)throw new b("invalid_argument",`\`${e}\` nests deeper than ${ur} lev\
els`,{argument:e});if(r.left-=2,Array.isArray(t)){let a=[];for(let u=0;u<t.length;u+=1){if(!Object.hasOwn(t,u))throw on(
`${e}[${u}]`,"a value that JSON has",void 0);a.push(Xn(t[u],`${e}[${u}]`,n+1,r))}return`[${a.join(",")}]`}let o=Object.getPrototypeOf(
t);if(o!==null&&Object.getPrototypeOf(o)!==null)throw new b("invalid_argument",`\`${e}\` must be a plain object of JSON v\
alues, got ${w(t)} of a class`,{argument:e});let s=[];for(let a of Object.keys(t)){let u=t[a];if(u===void 0)continue;let d=zn(
JSON.stringify(a),r);s.push(`${d}:${Xn(u,/^[\w$]{1,40}$/.test(a)?`${e}.${a}`:`${e}[…]`,n+1,r)}`)}return`{${s.join(",")}\
}`}i(Xn,"jsonOf");function zn(t,e){if(e.left-=t.length+1,e.left>=0)return t;let{what:n,most:r}=e,o=`\`${n}\` must have at\
 most ${r} characters of JSON: keep what is larger yourself, under the sub-agent's id`;throw new b("invalid_argument",o,
{argument:n,limit:r})}i(zn,"spent");var Q=["pending","running","idle","completed","failed","timed_out","cancelled","interrupted","closed"],R=["finished","ho\
st_failed","host_threw","invalid_result","host_cancelled","host_timed_out","timeout","idle_timeout","max_turns","budget_\
exhausted","cancelled","ancestor_cancelled","parent_ended","interrupted","closed","signal_aborted","drained","policy","m\
arked_failed","host_lost","never_reported"],sn=["host_threw","host_failed","host_lost","invalid_result","host_timed_out",
"host_cancelled"];var fr=["before_spawn","before_start","before_turn","before_tool","after_tool","before_end","on_timeout"],lr=["inject","\
force_turn","block","finish"],Qn=["adopt","wait","cancel"];function an(t,e){if(e===void 0)return;if(e===!1)return{max:0};let{max:n,backoffMs:r,on:o,...s}=j(`\`${t}\``,e);G(t,s,["m\
ax","backoffMs","on"]);let a=C(`\`${t}.max\``,n);if(a===void 0)throw g(`\`${t}.max\``,"a whole number of at least 1, or \
Infinity",n);let u={max:a};if(r!==void 0){if(typeof r!="number"||!(r>0)||!Number.isFinite(r))throw g(`\`${t}.backoffMs\``,
"milliseconds above 0",r);u.backoffMs=Math.max(1,Math.round(r))}if(o!==void 0){let d=`a list of ${sn.join(", ")}`;if(u.on=
F(`\`${t}.on\``,d,o,(c,f)=>{if(!sn.includes(c))throw g(f,`one of ${sn.join(", ")}`,c);return c}),u.on.length===0)throw g(
`\`${t}.on\``,d,o)}return u}i(an,"readRetry");var Os=new Set(["$schema","$id","$comment","$defs","definitions","title","description","default","examples","deprecated",
"readOnly","writeOnly","format"]),Zn={string:i(t=>typeof t=="string","string"),number:i(t=>typeof t=="number","number"),
integer:i(t=>Number.isInteger(t),"integer"),boolean:i(t=>typeof t=="boolean","boolean"),null:i(t=>t===null,"null"),array:i(
t=>Array.isArray(t),"array"),object:$};function pr(t){return new rt(t).read(t,"")}i(pr,"readJsonSchema");var rt=class{static{
i(this,"Reader")}#e;#n=new Map;constructor(e){this.#e=e}read(e,n){if(e===!0)return()=>{};if(e===!1)return(a,u)=>`${u} mu\
st not be there`;if(!$(e))throw M(n,`must be an object or a boolean, got ${w(e)}`);let r=this.#n.get(e);if(r!==void 0)return r;
let o=[],s=i((a,u)=>{for(let d of o){let c=d(a,u);if(c!==void 0)return c}},"check");this.#n.set(e,s);for(let a of Object.
keys(e)){if(Os.has(a))continue;let u=Object.hasOwn(ot,a)?ot[a]:void 0;if(u===void 0)throw M(n,`has \`${a}\`, which is not\
 checked here; it may have ${js}`);o.push(u({reader:this,schema:e,place:`${n}/${a}`,given:e[a]}))}return s}find(e,n){if(e===
"#")return this.#e;if(!e.startsWith("#/"))throw M(n,`refers to ${w(e)}; only references within the schema are read`);let r=this.#e;
for(let o of e.slice(2).split("/")){let s=o.replaceAll("~1","/").replaceAll("~0","~");r=$(r)&&Object.hasOwn(r,s)?r[s]:void 0}
if(r===void 0)throw M(n,`refers to ${w(e)}, which is not there`);return r}};function M(t,e){let n=t===""?"`schema`":`\`sc\
hema\` at ${t}`;return new b("invalid_argument",`${n} ${e}`,{argument:"schema"})}i(M,"refused");function $(t){return typeof t==
"object"&&t!==null&&!Array.isArray(t)}i($,"isObject");function D({given:t,place:e},n=Number.NEGATIVE_INFINITY){if(typeof t==
"number"&&t>=n)return t;throw M(e,`must be a number${n===0?" of at least 0":""}, got ${w(t)}`)}i(D,"number");function Pe({
given:t,place:e}){if(Array.isArray(t)&&t.length>0)return t;throw M(e,`must be a list that is not empty, got ${w(t)}`)}i(
Pe,"list");function Ts({given:t,place:e}){if($(t))return t;throw M(e,`must be an object, got ${w(t)}`)}i(Ts,"object");var Ee=i(
(t,e)=>(n,r)=>typeof n=="number"&&!t(n)?`${r} must be ${e}`:void 0,"ofNumbers"),et=i((t,e)=>(n,r)=>typeof n=="string"&&!t(
n)?`${r} must have ${e}`:void 0,"ofTexts"),nt=i((t,e)=>(n,r)=>Array.isArray(n)&&!t(n)?`${r} must have ${e}`:void 0,"ofLi\
sts");function un(t,e){if(Object.is(t,e)||t===e)return!0;if(Array.isArray(t)&&Array.isArray(e))return t.length===e.length&&
t.every((o,s)=>un(o,e[s]));if(!$(t)||!$(e))return!1;let[n,r]=[Object.keys(t),Object.keys(e)];return n.length===r.length&&
n.every(o=>Object.hasOwn(e,o)&&un(t[o],e[o]))}i(un,"same");function Rs(t){return JSON.stringify(t,(e,n)=>$(n)?Object.fromEntries(
Object.entries(n).sort(([r],[o])=>r<o?-1:1)):n)}i(Rs,"canonical");var mr=i(t=>[...t].length,"points"),tt=i((t,e)=>/^[A-Za-z_$][\w$]*$/.
test(e)?`${t}.${e}`:`${t}[${JSON.stringify(e)}]`,"field"),ot={type({given:t,place:e}){let n=Array.isArray(t)?t:[t],r=n.map(
s=>typeof s=="string"&&Object.hasOwn(Zn,s)?Zn[s]:void 0);if(r.length===0||r.includes(void 0))throw M(e,`must be ${Object.
keys(Zn).join(", ")}, or a list of these; got ${w(t)}`);let o=n.join(" or ");return(s,a)=>r.some(u=>u?.(s))?void 0:`${a}\
 must be of the type ${o}, got ${w(s)}`},enum(t){let e=Pe(t);return(n,r)=>e.some(o=>un(o,n))?void 0:`${r} must be one of\
 ${JSON.stringify(e)}`},const({given:t}){return(e,n)=>un(t,e)?void 0:`${n} must be ${JSON.stringify(t)}`},properties(t){
let e=Object.entries(Ts(t)).map(([n,r])=>[n,t.reader.read(r,`${t.place}/${n}`)]);return(n,r)=>{if($(n))for(let[o,s]of e){
let a=Object.hasOwn(n,o)?s(n[o],tt(r,o)):void 0;if(a!==void 0)return a}}},required({given:t,place:e}){if(!Array.isArray(
t)||!t.every(r=>typeof r=="string"))throw M(e,"must be a list of names");let n=t;return(r,o)=>{let s=$(r)?n.find(a=>!Object.
hasOwn(r,a)):void 0;return s===void 0?void 0:`${tt(o,s)} is missing`}},additionalProperties({reader:t,schema:e,given:n,place:r}){
let o=new Set($(e.properties)?Object.keys(e.properties):[]),s=t.read(n,r);return(a,u)=>{if($(a))for(let d of Object.keys(
a)){let c=o.has(d)?void 0:s(a[d],tt(u,d));if(c!==void 0)return c}}},minProperties:i(t=>{let e=D(t,0);return(n,r)=>$(n)&&
Object.keys(n).length<e?`${r} must have at least ${e} fields`:void 0},"minProperties"),maxProperties:i(t=>{let e=D(t,0);
return(n,r)=>$(n)&&Object.keys(n).length>e?`${r} must have at most ${e} fields`:void 0},"maxProperties"),items({reader:t,
schema:e,given:n,place:r}){let o=Array.isArray(e.prefixItems)?e.prefixItems.length:0,s=t.read(n,r);return(a,u)=>{if(Array.
isArray(a))for(let d=o;d<a.length;d+=1){let c=s(a[d],`${u}[${d}]`);if(c!==void 0)return c}}},prefixItems(t){let e=Pe(t).
map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{if(Array.isArray(n))for(let[o,s]of e.entries()){let a=o<n.length?
s(n[o],`${r}[${o}]`):void 0;if(a!==void 0)return a}}},minItems:i(t=>{let e=D(t,0);return nt(n=>n.length>=e,`at least ${e}\
 entries`)},"minItems"),maxItems:i(t=>{let e=D(t,0);return nt(n=>n.length<=e,`at most ${e} entries`)},"maxItems"),uniqueItems:i(
({given:t})=>nt(e=>t!==!0||new Set(e.map(Rs)).size===e.length,"no entry twice"),"uniqueItems"),minimum:i(t=>{let e=D(t);
return Ee(n=>n>=e,`at least ${e}`)},"minimum"),maximum:i(t=>{let e=D(t);return Ee(n=>n<=e,`at most ${e}`)},"maximum"),exclusiveMinimum:i(
t=>{let e=D(t);return Ee(n=>n>e,`more than ${e}`)},"exclusiveMinimum"),exclusiveMaximum:i(t=>{let e=D(t);return Ee(n=>n<
e,`less than ${e}`)},"exclusiveMaximum"),multipleOf:i(t=>{let e=D(t);if(e<=0)throw M(t.place,"must be above 0");return Ee(
i(r=>Math.abs(r/e-Math.round(r/e))<1e-9,"isWhole"),`a multiple of ${e}`)},"multipleOf"),minLength:i(t=>{let e=D(t,0);return et(
n=>mr(n)>=e,`at least ${e} characters`)},"minLength"),maxLength:i(t=>{let e=D(t,0);return et(n=>mr(n)<=e,`at most ${e} c\
haracters`)},"maxLength"),pattern({given:t,place:e}){let n;try{n=new RegExp(t,"u")}catch(r){throw M(e,`is no regular exp\
ression: ${r.message}`)}return et(r=>n.test(r),`the pattern ${n.source}`)},allOf(t){let e=Pe(t).map((n,r)=>t.reader.read(
n,`${t.place}/${r}`));return(n,r)=>e.reduce((o,s)=>o??s(n,r),void 0)},anyOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.
place}/${r}`));return(n,r)=>{let o=e.map(s=>s(n,r));return o.includes(void 0)?void 0:`${r} fits none of the alternatives\
: ${o.join("; ")}`}},oneOf(t){let e=Pe(t).map((n,r)=>t.reader.read(n,`${t.place}/${r}`));return(n,r)=>{let o=e.map(a=>a(
n,r)),s=o.filter(a=>a===void 0).length;if(s!==1)return s>1?`${r} fits ${s} alternatives, not one`:`${r} fits none of the\
 alternatives: ${o.join("; ")}`}},not({reader:t,given:e,place:n}){let r=t.read(e,n);return(o,s)=>r(o,s)===void 0?`${s} m\
ust not be as it is`:void 0},$ref({reader:t,given:e,place:n}){if(typeof e!="string")throw M(n,`must be a text, got ${w(e)}`);
return t.read(t.find(e,n),e)}},vs=Object.keys(ot),js=vs.join(", ");function hr(t){if(t===void 0)return;if((typeof t=="object"&&t!==null||typeof t=="function")&&"~standard"in t)return Ps(t);
if(typeof t!="object"||t===null||Array.isArray(t))throw g("`schema`","a Standard Schema or a JSON Schema object",t);let n=pr(
t);return{schema:t,check(r,o){if(r===void 0)return gr;let s=br(r,o);if("wrong"in s)return s;let a=JSON.parse(s.json);try{
let u=n(a,"value");return u===void 0?{value:a,json:s.json}:{wrong:u}}catch(u){return{wrong:`the schema failed: ${x(u)}`}}}}}
i(hr,"readSchema");var gr={wrong:"the result has no `value`, and its `schema` asks for one"};function Ps(t){let e=t["~st\
andard"],{validate:n}=typeof e=="object"&&e!==null?e:{};if(typeof n!="function")throw g("`schema`","a Standard Schema wi\
th `validate`",t);return{schema:t,check(r,o){if(r===void 0)return gr;let s=i(u=>({wrong:`the schema failed: ${x(u)}`}),"\
failed"),a=i(u=>{try{return Es(u,o)}catch(d){return s(d)}},"judge");try{let u=n(r);return typeof u=="object"&&u!==null&&
typeof u.then=="function"?Promise.resolve(u).then(a,s):a(u)}catch(u){return s(u)}}}}i(Ps,"readStandard");function Es(t,e){
if(typeof t!="object"||t===null)return{wrong:`the schema failed: it answered ${w(t)}`};if(t.issues!==void 0)return{wrong:t.
issues.map(Is).join("; ")||"the schema refused the value"};let n=br(t.value,e);return"wrong"in n?n:{value:t.value,json:n.
json}}i(Es,"judged");function Is({message:t,path:e=[]}){return`value${e.map(r=>typeof r=="object"?r.key:r).map(String).map(
r=>/^\d+$/.test(r)?`[${r}]`:`.${r}`).join("")}: ${t}`}i(Is,"sayIssue");function br(t,e){let n=`as JSON, and \`maxResultBy\
tes\` allows ${e}`,r=Math.max(e,_),o;try{o=Qe(t,r,`it has more than ${r} bytes ${n}`)}catch(a){return{wrong:`value is no\
 JSON: ${x(a)}`}}if(o===void 0)return{wrong:`value is no JSON: ${w(t)}`};let s=o.length*3<=e?o.length:new TextEncoder().
encode(o).length;return s>e?{wrong:`value has ${s} bytes ${n}`}:{json:o}}i(br,"store");function dn(t){return t.staged??=Or({}),t.staged}i(dn,"stagedBy");var _s=["instructions","goal","message","task","taskDe\
scription","task_description"],yr=(()=>{let t=je.flatMap(({name:e,alias:n})=>n===void 0?[e]:[e,n]);return new Set([...t,
"idempotencyKey","origin","format"])})(),wr=new Set(["instructions","goal","message","task","taskDescription","task_desc\
ription","maxCost","budget","signal","schema"]);function Ie(t,e,n=!1){try{return Cs(t,e,n)}catch(r){throw Bn("the option\
s of spawn",r)}}i(Ie,"readSpawn");function Cs(t,e,n){let o=typeof t=="object"&&t!==null&&Object.getPrototypeOf(t)===Object.
prototype?t:j("the options of spawn",t),s={text:void 0,renamed:!1,background:!1,manual:!1,answers:0,tokens:Number.NaN,cost:Number.
NaN,turns:Number.NaN,staged:void 0,asked:void 0,signal:void 0,schema:void 0,watch:void 0},a,u=!1;for(let d of Object.getOwnPropertyNames(
o))if(d==="instructions")s.text=xr(o,d,s.text);else if(yr.has(d))a??={__proto__:null},a[d]=o[d];else if(d==="background"){
let{background:c}=o;if(c!==void 0&&typeof c!="boolean")throw g("`background`","a boolean",c);s.background=c===!0,u=c!==void 0}else if(wr.
has(d))Ms(s,o,d);else if(Object.prototype.propertyIsEnumerable.call(o,d))throw xe("spawn",d,[...yr,...wr,"background"]);
if(Number.isNaN(s.cost)||(s.asked=kr(s,o)),a!==void 0||n&&!Number.isNaN(s.cost)){if(s.staged=Or(a??{}),s.asked=kr(s,o),n&&
$s(s,s.staged),s.staged.idempotencyKey!==void 0&&(s.staged.parameters=Ns(s)),e?.agents.fill(s,s.staged,u),s.staged.onParentEnd!==
void 0&&!s.background)throw new b("invalid_argument","`onParentEnd` is for `background: true`: others end with their cal\
ler",{argument:"onParentEnd"});s.staged.profile!==void 0&&e?.profiles.check(s.staged.profile)}return s}i(Cs,"read");function kr({
staged:t,cost:e},n){return{tools:t?.tools,maxTurns:Object.hasOwn(n,"maxTurns")?t?.maxTurns:void 0,maxCost:Object.hasOwn(
n,"maxCost")&&!Number.isNaN(e)?e:void 0}}i(kr,"askedOf");function $s(t,e){e.wishedTurns=e.maxTurns,e.maxTurns=void 0,!Number.
isNaN(t.cost)&&(e.wishedCost=t.cost,t.cost=Number.NaN)}i($s,"wish");function Ns({signal:t,renamed:e,asked:n,schema:r,staged:o,
...s}){let{idempotencyKey:a,metadata:u,...d}=o;return JSON.stringify({...s,...d,...r&&{schema:!0}},(c,f)=>typeof f=="num\
ber"?`${f}`:f)}i(Ns,"parametersOf");function xr(t,e,n){let r=t[e];if(r===void 0)return n;let o=I(`\`${e}\``,r),s=i(a=>new b(
"invalid_argument",`\`${e}\` ${a}`,{argument:e}),"wrong");if(n!==void 0)throw s(`says the same as another option: give o\
ne of ${_s.join(", ")}`);if(o.trim()==="")throw s("must not be empty");return z(o)}i(xr,"readText");function Ms(t,e,n){switch(n){case"\
maxCost":{let r=de("`maxCost`",e.maxCost);r!==void 0&&(t.cost=Sr(t.cost,r,"maxCost"));return}case"budget":{let r=Re("bud\
get",e.budget);r.tokens!==void 0&&(t.tokens=r.tokens),r.costUsd!==void 0&&(t.cost=Sr(t.cost,r.costUsd,"budget.costUsd")),
r.turns!==void 0&&(t.turns=r.turns);return}case"schema":{t.schema=hr(e.schema);return}case"signal":{t.signal=Ve("`signal\
`",e.signal);return}default:{let r=xr(e,n,t.text);t.renamed||=r!==t.text,t.text=r}}}i(Ms,"readOther");function Sr(t,e,n){
if(!Number.isNaN(t))throw q("`maxCost` and `budget.costUsd`",n);return e}i(Sr,"only");function Or(t){let e=Object.create(
null);for(let{name:n,alias:r,staged:o,kind:s}of je){let a=Ar(s,n,t[n]),u=r===void 0?void 0:Ar(s,r,t[r]);if(a!==void 0&&u!==
void 0)throw q(`\`${n}\` and \`${r}\``,r);a??=u,a!==void 0&&(e[o]=a)}return t.idempotencyKey!==void 0&&(e.idempotencyKey=
Ye("`idempotencyKey`",t.idempotencyKey)),t.origin!==void 0&&Object.assign(e,Fs(t.origin)),Ds(t.format)==="json"&&(e.json=
!0),e}i(Or,"readStaged");function Ar(t,e,n){if(n===void 0)return;let r=`\`${e}\``;switch(t){case"text":return J(r,n);case"\
label":return J(r,n)?.trim()===""?void 0:n;case"name":return Ye(r,n);case"reference":return n===null?void 0:Ye(r,n);case"\
texts":return Y(r,n);case"count":return C(r,n);case"dollars":return de(r,n);case"duration":return ze(r,n);case"integer":
return Yt(r,n);case"onParentEnd":if(!Qn.includes(n))throw g(r,`one of ${Qn.join(", ")}`,n);return n;case"retry":return an(
e,n);case"metadata":return dr(e,n);default:return t}}i(Ar,"readPassed");function Fs(t){let e=j("`origin`",t,"an object w\
ith channel and chatId"),{channel:n,chatId:r,...o}=e;if(G("origin",o,["channel","chatId"]),n!==void 0&&(typeof n!="strin\
g"||n===""||n.includes(":")))throw g("`origin.channel`","a text without a colon",n);if(r!==void 0&&(typeof r!="string"||
r===""))throw g("`origin.chatId`","a text",r);return{originChannel:J("`origin.channel`",n),originChatId:J("`origin.chatI\
d`",r)}}i(Fs,"originOf");function Ds(t){if(t===void 0||t==="text"||t==="json")return t;throw g("`format`","'text' or 'js\
on'",t)}i(Ds,"formatOf");var Tr={description:!0,prompt:!0,model:!0,disallowedTools:!0},he=class{static{i(this,"Agents")}#e=new Map;constructor(e){
if(e!==void 0)for(let[n,r]of Object.entries(j("`agents`",e,"an object of definitions")))this.#e.set(n,T(`\`agents.${n}\``,
()=>Ls(n,r)))}get names(){return[...this.#e.keys()]}get descriptions(){return[...this.#e].map(([e,{description:n}])=>`- ${e}\
: ${n}`).join(`
`)}checkProfiles(e){for(let{staged:n}of this.#e.values())n.profile!==void 0&&e.check(n.profile)}fill(e,n,r){let{sourceAgentId:o}=n;
if(o===void 0)return;let s=this.#e.get(o);if(s===void 0){let{names:d}=this,c=d.length===0?"none is defined":`there are ${d.
join(", ")}`;throw new b("unknown_agent",`there is no agent called ${w(o)}; ${c}`,{agent:o,known:d})}let{request:a,staged:u}=s;
Number.isNaN(e.tokens)&&(e.tokens=a.tokens),Number.isNaN(e.cost)&&(e.cost=a.cost),Number.isNaN(e.turns)&&(e.turns=a.turns),
r||(e.background=a.background),e.schema??=a.schema;for(let d of Object.keys(u))n[d]===void 0&&(n[d]=u[d])}};function Ls(t,e){
if(t==="")throw new b("invalid_argument","the name of an agent must not be empty");ue("the name of an agent",t);let n=j(
`\`agents.${t}\``,e),{description:r,prompt:o,model:s,disallowedTools:a}=n;if(typeof r!="string"||r.trim()==="")throw g(`\
\`agents.${t}.description\``,"a text",r);let u=Object.entries(n).filter(([f])=>!Object.hasOwn(Tr,f)),d=u.find(([f])=>!Rr.
has(f))?.[0];if(d!==void 0)throw Oe(`an agent has no \`${d}\`: \`agents.${t}\``,d,[...Rr,...Object.keys(Tr)],{argument:`\
agents.${t}.${d}`});let c=Object.fromEntries(u);o!==void 0&&(c.systemPrompt=o),s!==void 0&&s!=="inherit"&&(c.modelId=s),
c.agent=t;try{let f=Ie(c),l=f.staged;return a!==void 0&&(l.disallowedTools=Y("`disallowedTools`",a)),{description:r.trim(),
request:f,staged:l}}catch(f){let{code:l,message:m,details:p}=f;throw new b(l,`agents.${t}: ${m}`,{...p})}}i(Ls,"read");var Rr=(()=>{
let t=je.filter(({isDefined:e})=>e).map(({name:e})=>e);return new Set([...t,"background","budget","maxCost","schema"])})();var _e={maxConcurrent:3,maxQueued:1e5,maxDepth:1,maxChildren:32,maxTasks:1e5,retain:1e3,maxSessions:1e4,maxAbandoned:16,
maxLost:5,maxTurns:20,turnEstimate:2e3,turnEstimateUsd:.25,wrapUpTokens:1e3,timeoutMs:18e5,graceMs:1e4,idleTimeoutMs:3e5,
abandonMs:6e4,askTimeoutMs:6e5,maxMessages:20,maxResultBytes:1048576,inlineBytes:16384,maxSummaryTokens:2e3,approvalTimeoutMs:6e5,
ageingMs:1e4,idempotencyTtlMs:864e5,maxIdempotencyKeys:1e5,staggerMs:0,maxCooldownMs:36e5,maxCooldowns:1e3,leaseMs:6e4,maxDeliveries:5,
maxNotices:1e5,maxInjected:32};var vr;function N(t,e){vr??=new Map(Object.keys(_e).map((r,o)=>[r,o]));let n=vr.get(e);return t.call(r=>r.limit(n))}i(N,
"limitOf");var cn={maxSubAgentSteps:"maxTurns"},jr=[...Object.keys(_e),...Object.keys(cn),"budget","totalTokenBudget","taskBudget",
"onLimit"];function Us(t){let e=Object.keys(cn).filter(n=>cn[n]===t);return[t,...e].map(n=>`\`${n}\``).join(", ")}i(Us,"\
namesOf");var fn=class{static{i(this,"Bounds")}#e=new Map;#n={};#t;#r;#o;take(e,n){let r=cn[e]??e;if(e==="budget")this.#n=
Re(e,n);else if(e==="totalTokenBudget")this.#t=C("`totalTokenBudget`",n);else if(e==="taskBudget")this.#r=Re(e,n);else if(e===
"onLimit"){if(n!=="queue"&&n!=="reject")throw g("`onLimit`","'queue' or 'reject'",n);this.#o=n}else if(Object.hasOwn(_e,
r))this.#s(e,r,n);else return!1;return!0}#s(e,n,r){if(typeof r!="number")throw g(`\`${e}\``,"a number",r);if(e!==n&&C(`\`${e}\
\``,r),this.#e.has(n))throw new b("invalid_argument",`\`${n}\` and its alias say the same: give one of ${Us(n)}`,{argument:e});
this.#e.set(n,r)}apply(e,n={}){let r=this.#n;if(this.#t!==void 0){if(r.tokens!==void 0)throw q("`totalTokenBudget` and `\
budget.tokens`","totalTokenBudget");r={...r,tokens:this.#t}}let o={budget:r,taskBudget:this.#r,onLimit:this.#o},s={...n,
limits:[...this.#e],...o};if(!e.call(a=>a.configure(h(),s)))throw this.#i(e.refusal());e.carryOut(),e.expectSound()}#i(e){
let{code:n,message:r,details:o}=e,s=[...this.#e].find(([a])=>r.startsWith(`\`${a}\``));return s===void 0?e:new b(n,`${r}\
, got ${w(s[1])}`,{...o})}};var st="minimal";function Ks(t){return["You are a sub-agent: another agent gave you one task, and you see nothing else o\
f its work.","- Work on this task and on nothing else.","- You can not send messages to the user or ask them anything.",
...t?[]:["- You can not start sub-agents."],"- End with a clear and concise summary of what you did and what you found. \
It is all that the other agent gets."].join(`
`)}i(Ks,"minimal");var ge=class{static{i(this,"Profiles")}#e=new Map([[st,(e,n)=>Ks(n)]]);constructor(e){if(e!==void 0)for(let[
n,r]of Object.entries(j("`profiles`",e,"an object of functions"))){if(ue("the name of a profile",n),typeof r!="function")
throw g(`\`profiles.${n}\``,"a function that makes a system prompt",r);this.#e.set(n,o=>r(o()))}}get names(){return[...this.#e.
keys()]}check(e){if(this.#e.has(e))return;let n=[...this.#e.keys()];throw new b("unknown_profile",`there is no profile c\
alled ${w(e)}; there are ${n.join(", ")}`,{profile:e,known:n})}prompt(e,n,r){this.check(e);let o;try{o=this.#e.get(e)?.(
n,r)}catch(s){throw new b("invalid_argument",`the profile ${w(e)} failed: ${x(s)}`,{},{cause:s})}if(typeof o!="string")throw g(
`what the profile ${w(e)} returns`,"a string",o);return o}};var Pr=512,Er=1024;function ln(t){let e=t%Pr;return{turn:Math.floor(t/Er),injects:t%Er>=Pr,wrapUp:e===0?void 0:R[e-1]}}i(
ln,"turnOf");function mn(t,e,n){let r=i(o=>!e||t.unknown.includes(o)||t.invalid.includes(o)?null:t[o],"known");return{tokens:r("token\
s"),costUsd:r("costUsd"),turns:r("turns"),durationMs:e?n:null}}i(mn,"figuresOf");function Ir(t,e,n){let{actor:r,runtime:o}=t,s=t.policing(),a=t.isMain?void 0:o.lookup.snapshot(r.slot,r.generation),u=a===
void 0?Cr:mn(a.usage,a.startedAt!==null,a.durationMs);return{taskId:a?.taskId??null,status:e,reason:n,partial:!0,output:$r(
o,a?.output??""),error:null,stats:it(s,{...u,turns:s?.turns??null}),todos:Te(s?.todos??""),recentMessages:[...t.messages]}}
i(Ir,"reportOf");function _r(t,e,n,r){let o=n.call(s=>s.policing(r.slot,r.generation));return{taskId:t.taskId,status:t.status,
reason:t.stopReason,partial:t.partial,output:$r(n,Bs(t,e,n,r)),error:t.error??null,stats:it(o,t.figures),todos:Te(o?.todos??
""),recentMessages:[...e?.messages??[]]}}i(_r,"reportOfResult");function be(t){return Be(t)}i(be,"reportText");function pn(t,e,n){
return{taskId:t,status:e,reason:null,partial:!1,output:"",error:n,stats:it(void 0,Cr),todos:[],recentMessages:[]}}i(pn,"\
reportOfNone");var Cr={tokens:null,costUsd:null,turns:null,durationMs:null};function it(t,{tokens:e,costUsd:n,turns:r,durationMs:o}){
let{contextTokens:s=null,openTodos:a=0,counts:u=[]}=t??{};return{turns:r,tokens:e,costUsd:n,durationMs:o===null?null:Math.
round(o),contextTokens:s,openTodos:a,counts:Object.fromEntries(u)}}i(it,"stats");function Bs(t,e,n,{slot:r,generation:o}){
let{output:s}=t,a=s===""?null:Ws(t,e,n,r,o);if(a===null||a!==s)return s;let u=at(a);return u===void 0?s:u.output||(u.recentMessages.
at(-1)??"")}i(Bs,"outputOf");function Ws(t,e,n,r,o){if(e?.report!==void 0)return e.report;if(n.isClosed||n.call(u=>u.status(
r,o))<0)return null;let{run:s,report:a}=n.lookup.snapshot(r,o);return s===t.run?a:null}i(Ws,"madeByPolicy");function at(t){
if(t.startsWith('{"taskId":'))try{let{output:e,recentMessages:n,stats:r,status:o}=JSON.parse(t);return typeof o=="string"&&
typeof e=="string"&&typeof r=="object"&&Array.isArray(n)?JSON.parse(t):void 0}catch{return}}i(at,"readReport");function $r(t,e){
if(e==="")return"";let n=t.write(e);return t.call(r=>r.inline(n))}i($r,"inlined");var Gs=10,Js=500,Ce=class{static{i(this,"Agent")}runtime;actor;messages=[];blockedBecause=void 0;report=void 0;asksForTurn=!1;readPrompt;injected=[];waiting=0;pending=new Set;stopped=!1;constructor(e,n,r){
this.runtime=e,this.actor=n,this.readPrompt=r}get isMain(){return this.actor.run===0}get prompt(){return this.readPrompt()}say(e){
this.messages.push(qe(e,Js)),this.messages.length>Gs&&this.messages.shift()}inject(e){this.injected.push(e)}get hasInjected(){
return this.injected.length>0}takeInjected(){let e=this.injected;return this.injected=[],e}context(e,n){return Object.assign(
new ut(this,e),n)}policing(){let{slot:e,generation:n}=this.actor;return this.runtime.call(r=>r.policing(e,n))}count(e,n,r){
let{slot:o,generation:s,run:a}=this.actor,u=this.runtime.write(e);return this.runtime.act(d=>d.count(h(),o,s,a,u,n,r))}rule(e,{
answer:n,policy:r,text:o,reason:s}){if(this.runtime.isClosed)return!1;let{slot:a,generation:u,run:d}=this.actor;n==="blo\
ck"&&!e.endsWith("_tool")&&(this.blockedBecause??=o),n==="finish"&&(this.report=o);let c=this.runtime.write(r),f=this.runtime.
write(r+o)-c,[l,m,p]=[fr.indexOf(e),lr.indexOf(n),R.indexOf(s)];return this.runtime.act(k=>k.rule(h(),a,u,d,l,m,p,c,f))}wait(e){
if(e==="on_timeout")return()=>{};let{slot:n,generation:r,run:o}=this.actor,s=this.isMain?new se(()=>this.end("overdue")):
void 0;if(this.waiting+=1,s!==void 0){let a=this.runtime.isClosed?0:N(this.runtime,"approvalTimeoutMs");s.hold(!0),a!==Number.
POSITIVE_INFINITY&&s.set(h()+a)}else this.waiting===1&&!this.runtime.isClosed&&this.runtime.act(a=>a.awaitApproval(h(),n,
r,o));return()=>{this.waiting-=1,s?.stop(),!(this.waiting>0||this.isMain||this.runtime.isClosed||e==="before_start")&&this.
runtime.act(a=>a.approved(h(),n,r,o,!1))}}until(e){return this.stopped?Promise.resolve("stopped"):new Promise(n=>{let r=i(
o=>{this.pending.delete(r),n(o)},"end");this.pending.add(r),e.then(o=>r({value:o}),o=>r({error:o}))})}stop(){this.stopped=
!0,this.end("stopped")}overdue(){this.end("overdue")}end(e){for(let n of[...this.pending])n(e)}},ut=class{static{i(this,
"Context")}#e;#n;#t;constructor(e,n){this.#e=e,this.#n=n}get#r(){return this.#t??=this.#e.policing(),this.#t}get agent(){
return this.#e.isMain?"main":"sub"}get taskId(){let{slot:e,generation:n}=this.#e.actor;return this.#e.isMain?null:this.#e.
runtime.lookup.taskId(e,n)}get run(){return this.#e.actor.run}get prompt(){return this.#e.prompt}get turns(){return this.#r?.
turns??0}get contextTokens(){return this.#r?.contextTokens??void 0}get todos(){return Te(this.#r?.todos??"")}get openTodos(){
return this.#r?.openTodos??0}get recentMessages(){return[...this.#e.messages]}count(e,n={}){let r=this.#e.count(this.#n,
e,n.openTodosOnly===!0);return r>0?"counted":r===0?"nothing_to_count":"exhausted"}report(e,n){return Ir(this.#e,e,n)}};var Dr={before_spawn:"beforeSpawn",before_start:"beforeStart",before_turn:"beforeTurn",before_tool:"beforeTool",after_tool:"\
afterTool",before_end:"beforeEnd",on_timeout:"onTimeout"},dt=["blockedTools",...Object.values(Dr)],Lr=["name",...dt],Nr={
before_spawn:["inject","block","finish"],before_start:["inject","block","finish"],before_turn:["inject","block","finish"],
before_tool:["inject","block","finish"],after_tool:["inject","block","finish"],before_end:["inject","force_turn","block",
"finish"],on_timeout:["inject","finish"]},ye=class{static{i(this,"PolicyList")}blockedTools;#e=new Map;constructor(e,n){
let r=new Map,o=new Set;for(let{policy:s,place:a}of Hs(e,n)){let u=Vs(s,a),d=(r.get(u)??0)+1;r.set(u,d),this.#n(s,a,d===
1?u:`${u}#${d}`);let c=Y(hn(a,"blockedTools"),ct(s,a,"blockedTools"));for(let f of c??[])o.add(f)}this.blockedTools=[...o]}#n(e,n,r){
let o=T(n,()=>qs(e));if(o!==void 0)throw He("a policy",o,Lr);if(!T(n,()=>dt.some(s=>s in e)))throw g(n,`a policy with at\
 least one of ${dt.join(", ")}`,e);for(let[s,a]of Object.entries(Dr)){let u=ct(e,n,a);if(u===void 0)continue;if(typeof u!=
"function")throw g(hn(n,a),"a function",u);let d=this.#e.get(s)??[];d.push({name:r,ask:i(c=>Reflect.apply(u,e,[c]),"ask")}),
this.#e.set(s,d)}}has(e){return this.#e.has(e)}ask(e,n,r){let o=this.#e.get(e)??[];for(let[s,a]of o.entries()){let u=Mr(
a,n,r);if("later"in u)return e!=="before_spawn"?this.#t(e,n,r,s,u.later):(u.later.then(void 0,()=>{}),ft(e,n,a.name,new Error(
"it has to answer at once here, it returned a promise")));let d=Fr(e,n,a.name,u);if(d!==void 0)return d}}async#t(e,n,r,o,s){
let a=this.#e.get(e)??[],u=n.wait(e);try{let d=s;for(let c=o;c<a.length;c+=1){let f=a[c],l;if(d===void 0){let p=Mr(f,n,r);
l="later"in p?await n.until(p.later):p}else l=await n.until(d),d=void 0;if(l==="stopped")return;let m=Fr(e,n,f.name,l===
"overdue"?{error:new Error("it took too long to answer")}:l);if(m!==void 0)return m}return}finally{u()}}};function Hs(t,e){
return e===void 0?[]:F(t,"a list of policies",e,(n,r)=>({policy:ae(r,n,"a policy"),place:r}))}i(Hs,"policiesOf");function hn(t,e){
return t.endsWith("`")?`${t.slice(0,-1)}.${e}\``:`\`${e}\` of ${t}`}i(hn,"within");function ct(t,e,n){return T(hn(e,n),()=>L(
t,n))}i(ct,"partOf");function Vs(t,e){let n=ct(t,e,"name")??"policy";return z(I(hn(e,"name"),n))}i(Vs,"nameIn");function qs(t){
let e=Object.getPrototypeOf(t),n=e===null||Object.getPrototypeOf(e)===null;return Object.keys(t).find(r=>!Lr.includes(r)&&
(n||/^(before|after|on)[A-Z]/.test(r)))}i(qs,"strangerIn");function Mr(t,e,n){try{let r=t.ask(e.context(t.name,n));return typeof r==
"object"&&r!==null&&typeof r.then=="function"?{later:new Promise(s=>s(r))}:{value:r}}catch(r){return{error:r}}}i(Mr,"ans\
werOf");function Fr(t,e,n,r){if("error"in r)return ft(t,e,n,r.error);try{return Ys(t,n,r.value)}catch(o){return ft(t,e,n,
o)}}i(Fr,"judge");function ft(t,e,n,r){let o=`the policy ${n} failed: ${x(r)}`;if(t!=="after_tool"&&t!=="on_timeout")return{
answer:"block",policy:n,text:o,reason:"policy"};e.runtime.report(r)}i(ft,"failed");function Ys(t,e,n){if(n==null)return;
if(typeof n!="object")throw new Error(`it answered ${w(n)}`);let r=i(l=>L(n,l),"part"),[o,s,a,u,d="policy"]=["action","t\
ext","reason","report","stopReason"].map(r);if(o==="continue")return;let c=o;if(!Nr[t].includes(c))throw new Error(`it a\
nswered ${w(o)}, here it may answer ${["continue",...Nr[t]].join(", ")}`);let f={inject:s,force_turn:s??"Take another tu\
rn before you end.",block:a,finish:u}[c];if(typeof f!="string")throw new Error(`it answered ${c} with ${w(f)} where a te\
xt belongs`);if(!R.includes(d))throw new Error(`it answered with the stop reason ${w(d)}`);return{answer:c,policy:e,text:z(
I("what it says",f)),reason:d}}i(Ys,"read");var we=class{static{i(this,"Gates")}sub;runtime;policies;limits;mains=new Map;constructor(e,n,r){this.runtime=e,this.sub=
new ye("`policies.subAgents`",n.subAgents),this.policies=new ye("`policies.main`",n.main),this.limits=r}sessionPolicies(e){
return e===void 0?this.policies:new ye("`policies`",e)}openSession(e,n,r){this.mains.set(e.slot,this.newMain(e,n,{...this.
limits,...r}))}main(e){let n=this.mains.get(e.slot);if(n?.agent.actor.generation===e.generation)return n;let r=this.newMain(
e,this.policies,this.limits);return n===void 0&&this.mains.set(e.slot,r),r}newMain(e,n,r){let s={agent:new Ce(this.runtime,
e,()=>s.prompt),policies:n,limits:r,prompt:""};return s}agentOf(e){return e.agent??=new Ce(this.runtime,e,()=>e.prompt()),
e.agent}listFor(e){return e.isMain?this.main(e.actor).policies:this.sub}close(){for(let{agent:e}of this.mains.values())e.
stop()}beforeSpawn(e,n,r){let o=e.run===0,s=o?this.main(e).policies:this.sub;if(!s.has("before_spawn"))return;let a=o?this.
main(e).agent:this.agentOf(e),u=s.ask("before_spawn",a,{task:n.text,params:r});if(u===void 0)return;a.rule("before_spawn",
u);let{answer:d,policy:c,text:f}=u;if(d==="inject"){let l=dn(n);l.contextHint=l.contextHint===void 0||l.contextHint===""?
f:`${l.contextHint}

${f}`;return}throw new b("policy_blocked",f,{policy:c,...d==="finish"&&{report:f}})}start(e,n){let r=this.agentOf(e),o=this.
sub.ask("before_start",r,{});if(o instanceof Promise){this.runtime.alone(o.then(s=>this.started(e,s,n)));return}this.decideStart(
e,o,n)}started(e,n,r){let{runtime:o}=this;if(o.isClosed||e.settled)return;let{slot:s,generation:a,run:u}=e,d=(n===void 0||
n.answer==="inject")&&!this.isStopping(e);e.starting=()=>this.decideStart(e,n,r),!(o.act(c=>c.approved(h(),s,a,u,d))===0&&
d)&&e.takeStart()?.()}decideStart(e,n,r){let o=this.agentOf(e);n!==void 0&&o.rule("before_start",n),n?.answer==="inject"&&
o.inject(n.text),(n===void 0||n.answer==="inject")&&!this.isStopping(e)?r():this.runtime.hosts.settle(e,pe())}isStopping(e){
let{slot:n,generation:r,run:o}=e;return!this.runtime.call(s=>s.isOpen(n,r,o))||this.runtime.lookup.snapshot(n,r).cancelRequested}async beforeTurn(e,n){
e.asksForTurn=!0;try{let r=await this.listFor(e).ask("before_turn",e,{});if(this.runtime.check(),r!==void 0){let a=e.rule(
"before_turn",r);if(r.answer==="inject")e.inject(r.text);else if(a)return Ur(r)}let o=await n();if(!o.go)return o;let s=e.
takeInjected();return s.length===0?o:{...o,inject:[...o.inject??[],...s]}}finally{e.asksForTurn=!1}}async mainTurn(e,n){
let{runtime:r}=this;r.check();let o=this.main(e),{agent:s,policies:a}=o,{slot:u,generation:d}=e;if(s.asksForTurn)throw new b(
"invalid_argument","the last beforeTurn has not answered yet");if(n!==void 0&&(r.act(c=>c.endMain(h(),u,d)),o.prompt=n),
(s.policing()?.turns??0)===0&&a.has("before_start")){s.asksForTurn=!0;let c=await a.ask("before_start",s,{});if(s.asksForTurn=
!1,r.check(),c!==void 0){if(s.rule("before_start",c),c.answer!=="inject")return Ur(c);s.inject(c.text)}}return this.beforeTurn(
s,()=>this.takeMainTurn(o))}async takeMainTurn(e){let{agent:n,policies:r,limits:o}=e,{slot:s,generation:a}=n.actor,{maxTurns:u=lt,
maxContextTokens:d=lt,timeoutMs:c=lt}=o,f=this.runtime.call(O=>O.beginMainTurn(h(),s,a,u,d,c));if(f===-1)throw this.runtime.
refusal();if(f<0){this.runtime.carryOut();let O=R[-2-f]??"policy";return O!=="policy"?{go:!1,reason:O}:{go:!1,reason:O,message:`\
the context has ${n.policing()?.contextTokens} tokens, the limit is ${d}`}}let{turn:l,injects:m,wrapUp:p}=ln(f),k=m?{inject:this.
runtime.call(O=>O.takeInject())}:void 0;if(this.runtime.carryOut(),p===void 0)return{go:!0,turn:l,...k};let y=await r.ask(
"on_timeout",n,{reason:"timeout"}),S=y===void 0?void 0:this.timeoutAnswered(n,y);return{go:!0,turn:l,wrapUp:!0,reason:"t\
imeout",...k,...S!==void 0&&{report:S}}}async beforeTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.actor;
if(o.check(),I("a tool's name",n)==="")throw g("a tool's name","a text that is not empty",n);if(!e.isMain){let l=o.write(
n);if(!o.call(m=>m.mayUse(s,a,u,l)))return this.toolRefused(e)}let d=this.listFor(e),c=d.has("before_tool")?await d.ask(
"before_tool",e,{tool:n,args:r}):void 0;if(o.check(),c!==void 0){if(e.rule("before_tool",c),c.answer==="block")return{allowed:!1,
reason:c.text};if(c.answer==="finish")return{allowed:!1,reason:c.text,finished:!0}}let f=o.write(n);return o.call(l=>l.beginTool(
h(),s,a,u,f))?(o.carryOut(),c===void 0?{allowed:!0}:{allowed:!0,inject:[c.text]}):this.toolRefused(e)}toolRefused(e){let{
code:n,message:r}=this.runtime.refusal();return n==="tool_blocked"&&e.rule("before_tool",{answer:"block",policy:"tools",
text:r,reason:"policy"}),{allowed:!1,reason:r}}async afterTool(e,n,r){let{runtime:o}=this,{slot:s,generation:a,run:u}=e.
actor;if(o.check(),I("a tool's name",n)==="")throw g("a tool's name","a text that is not empty",n);let c=!e.isMain&&o.call(
p=>p.endTool(h(),s,a,u))?o.call(p=>p.takeInject()):[];o.carryOut();let f=this.listFor(e),l=f.has("after_tool")?await f.ask(
"after_tool",e,{tool:n,result:r}):void 0;l!==void 0&&(o.check(),e.rule("after_tool",l),l.answer==="inject"&&c.push(l.text));
let m=c.length===0?{}:{inject:c};return l?.answer==="block"?{withheld:!0,reason:l.text,...m}:l?.answer==="finish"?{withheld:!1,
finished:!0,...m}:{withheld:!1,...m}}async beforeEnd(e,n){let{runtime:r}=this;r.check(),I("`output`",n);let o=this.listFor(
e),s=o.has("before_end")?await o.ask("before_end",e,{output:n}):void 0;if(r.check(),s!==void 0&&(e.rule("before_end",s),
s.answer==="inject"||s.answer==="force_turn"))return{end:!1,inject:[s.text]};let{slot:a,generation:u}=e.actor;return e.isMain&&
r.act(d=>d.endMain(h(),a,u)),s===void 0?{end:!0,output:n}:s.answer==="finish"?{end:!0,output:s.text}:{end:!0,output:"",reason:s.
text}}timedOut(e,n){if(!this.sub.has("on_timeout"))return;let r=this.agentOf(e),o=this.sub.ask("on_timeout",r,{reason:n}),
s=i(a=>{a!==void 0&&this.timeoutAnswered(r,{...a,reason:n})},"answered");o instanceof Promise?this.runtime.alone(o.then(
s)):s(o)}timeoutAnswered(e,n){if(e.rule("on_timeout",n),n.answer==="finish")return n.text;e.inject(n.text)}},lt=Number.POSITIVE_INFINITY;
function Ur({answer:t,text:e,reason:n}){return t==="finish"?{go:!1,reason:n,report:e}:{go:!1,reason:n,message:e}}i(Ur,"r\
efusedTurn");function zs(t){return T("a notice",()=>{let{origin:e,text:n,deliveryId:r}=ae("a notice",t);return{channel:"system",senderId:"\
subagent",chatId:`${e.channel}:${e.chatId}`,content:n,deliveryId:r}})}i(zs,"toBusMessage");function Kr(t,e){return({inbox:n})=>{
for(let r of n.lease())i(async()=>{await t.publish(zs(r)),n.ack(r.deliveryId)},"taken")().catch(e)}}i(Kr,"publisher");function Br(t){
let e=typeof t=="object"&&t!==null?t.publish:void 0;if(typeof e!="function")throw g("`bus`","an object with a function `\
publish`",t);return{publish:i(n=>e.call(t,n),"publish")}}i(Br,"busOf");function gn(t){return T("a task",()=>{let{label:e,taskId:n}=ae("a task",t);return`Subagent [${E(e,Z)}] started (id: ${E(
n)}). I'll notify you when it completes.`})}i(gn,"startedText");function mt(t){let{process:e,Deno:n,reportError:r,console:o}=globalThis;try{e===void 0&&n===void 0&&typeof r=="function"?
r(t):o?.error(t)}catch{}}i(mt,"logError");function pt(t,e){try{let n=t();Xs(n)&&new Promise(r=>r(n)).catch(e)}catch(n){e(
n)}}i(pt,"notify");function Xs(t){return typeof t=="object"&&t!==null&&typeof t.then=="function"}i(Xs,"isThenable");function Se(t){return typeof WeakRef>"u"?{deref:i(()=>t,"deref")}:new WeakRef(t)}i(Se,"weakly");var ke=class{static{i(this,
"Collected")}registry;constructor(e){this.registry=typeof FinalizationRegistry>"u"?void 0:new FinalizationRegistry(e)}watch(e,n){
this.registry?.register(e,n,e)}unwatch(e){this.registry?.unregister(e)}};var bn=class{static{i(this,"Door")}manager;constructor(e){this.manager=e}get runtime(){return this.manager}shut(){this.manager=
void 0}},$e=[],Wr=[],ht,ee;function Gr(t,e,n){let r=Wr.pop()??$e.length;return $e[r]=Se(e),ht??=new ke(({host:o,alarm:s})=>{
s.stop(),Jr(o)}),ht.watch(t,{host:r,alarm:n}),r}i(Gr,"attach");function gt(t){ht?.unwatch(t),t.door.shut(),Jr(t.host)}i(
gt,"release");function Jr(t){$e[t]!==void 0&&($e[t]=void 0,Wr.push(t))}i(Jr,"detach");function K(t){let e=ee;return ee=t,
Ln(!0),e}i(K,"enter");function B(t){ee=t,t===void 0&&Ln(!1)}i(B,"leave");function Hr(){return ee!==void 0}i(Hr,"isInside");
function P(t){return ee!==void 0&&ee.host===t?ee:$e[t]?.deref()?.runtime}i(P,"find");function Xd(t,e,n,r){P(t)?.runs.startRun(
e,n,r)}i(Xd,"startRun");function Qd(t,e,n,r,o){P(t)?.runs.runRetried(e,n,r,o)}i(Qd,"runRetried");function Zd(t,e,n,r,o){
P(t)?.runs.abortRun(e,n,r,o)}i(Zd,"abortRun");function ec(t,e,n,r){P(t)?.runs.turnReady(e,n,r)}i(ec,"turnReady");function nc(t,e,n){
let r=P(t);r?.sessionData.taskForgotten(e,n),r?.contexts.taskForgotten(e,n),r?.signals.taskGone(e,n)}i(nc,"taskForgotten");
function tc(t,e,n){P(t)?.signals.taskGone(e,n)}i(tc,"taskClosed");function rc(t,e,n){P(t)?.wakes.mark(e)}i(rc,"wakeSessi\
on");function oc(t,e,n,r,o){P(t)?.runs.policiesDue(e,n,r,o)}i(oc,"policiesDue");function sc(t,e){P(t)?.startsStopped(e)}
i(sc,"startsStopped");function ic(t,e){P(t)?.wakeAt(e)}i(ic,"wakeAt");function ac(t,e,n,r,o,s,a){P(t)?.runs.askDone(e,n,
r,o,s,a)}i(ac,"askDone");function uc(t,e,n,r){P(t)?.waits.done(e,n,r)}i(uc,"waitDone");function dc(t,e,n,r,o,s,a,u,d,c,f,l,m,p,k){
let{runs:y}=P(t)??{};y?.runEnded(e,n,r,o,s,a,u,d,c,f,l,m,p,k)}i(dc,"runEnded");function cc(t,e,n){P(t)?.listeners.facts(
e,n)}i(cc,"facts");function fc(t,e){let n=P(t);return n===void 0||n.consumerGate(e)}i(fc,"consumerGate");function lc(t,e){
return P(t)?.makeTool(e)}i(lc,"makeTool");var mc=0,Vr=1,pc=2;var yn=class{static{i(this,"Listeners")}listeners=new Set;reader=void 0;runtime;scratch;constructor(e,n){this.runtime=e,
this.scratch=n}get listening(){return this.reader!==void 0}subscribe(e,n){this.runtime.check();let r=this.runtime.call(s=>s.
factCount());this.listeners.size===0&&(this.reader=n(this.runtime,this.scratch,r),this.runtime.call(s=>s.listen(!0)));let o={
listener:X(e),since:r};return this.listeners.add(o),()=>{this.listeners.delete(o),this.listeners.size===0&&!this.runtime.
isClosed&&(this.reader=void 0,this.runtime.journal===void 0&&this.runtime.call(s=>s.listen(!1)))}}facts(e,n){let{journal:r}=this.
runtime;if(r===void 0)this.hand(this.reader?.read(e,n));else{let o=r.take(this.scratch.copy(e,n));r.isSync||this.tell(o)}}tell(e){
this.hand(this.reader?.readKept(e))}hand(e=[]){for(let n of e)for(let{listener:r,since:o}of this.listeners)n.seq>o&&this.
runtime.tell(()=>r(n))}clear(){this.listeners.clear(),this.reader=void 0}};var Qs=200,Zs=["disposed","internal","store_failed"],wn=class{static{i(this,"Refusals")}listeners=new Set;runtime;constructor(e){
this.runtime=e}listen(e){let n={listener:X(e)};return this.listeners.add(n),()=>{this.listeners.delete(n)}}tell(e,n,r,o){
let{runtime:s}=this;if(this.listeners.size===0||s.isClosed||!(o instanceof b)||Zs.includes(o.code))return;let{slot:a,generation:u,
run:d}=n,c={seq:s.call(f=>f.factCount()),at:h(),operation:e,code:o.code,message:o.message,by:d===0?null:s.lookup.taskId(
a,u),sessionKey:s.lookup.sessionKey(a,u),label:r===null?null:Xe(r,Qs)};for(let{listener:f}of this.listeners)s.tell(()=>f(
c))}clear(){this.listeners.clear()}};var Ne={slot:0,generation:0,run:0},qr=4294967296;function ne(t){return t>>>0}i(ne,"slotOf");function bt(t){return Math.floor(
t/qr)}i(bt,"generationOf");function W(t){return{slot:ne(t),generation:bt(t)}}i(W,"keyOf");function Me({slot:t,generation:e}){
return e*qr+t}i(Me,"packed");var wt=class{static{i(this,"Followed")}#e;#n=new Set;constructor(e){this.#e=e}#t=i(()=>{let e=[...this.#n];for(let n of e)
this.leave(n);for(let n of e)n.deref()?.fire()},"#fire");join(e){this.#n.add(e),this.#n.size===1&&this.#e.addEventListener(
"abort",this.#t,{once:!0})}leave(e){!this.#n.delete(e)||this.#n.size>0||(kn.get(this.#e)===this&&kn.delete(this.#e),this.#e.
removeEventListener("abort",this.#t))}},kn=new WeakMap,yt;function ei(t){t()}i(ei,"call");function Yr(t,e){let n=kn.get(
t);n===void 0&&(n=new wt(t),kn.set(t,n));let r=n;return r.join(e),()=>r.leave(e)}i(Yr,"join");function kt(t,e){let n={fire:e};
return Yr(t,{deref:i(()=>n,"deref")})}i(kt,"follow");var Sn=class{static{i(this,"Signals")}#e=new Map;#n=new Map;follow(e,n){
let r={fire:n},o=Yr(e,Se(r)),s=i(()=>{this.#e.delete(s),yt?.unwatch(r),o()},"end");return this.#e.set(s,r),yt??=new ke(ei),
yt.watch(r,o),s}keepIdle(e,n){let{runtime:r,slot:o,generation:s}=e,a=this.follow(n,()=>Xr(e));e.unfollow?.(),e.unfollow=
a,r.call(d=>d.tellForgotten()),this.#n.set(o,e);let u=r.call(d=>d.status(o,s));(u<0||Q[u]==="closed")&&this.taskGone(o,s)}taskGone(e,n){
let r=this.#n.get(e);r?.generation===n&&(this.#n.delete(e),r.unfollow?.())}clear(){for(let e of[...this.#e.keys()])e();for(let e of this.#n.
values())e.unfollow?.();this.#n.clear()}};function zr(t,e){let n=kt(e,()=>{t.slot===0?t.abortedEarly=!0:Xr(t)});t.unfollow=
()=>{t.unfollow=void 0,n()}}i(zr,"followSignal");function Xr(t){let{runtime:e}=t;if(!e.isClosed)try{e.waits.cancel(Ne,t.
slot,t.generation,"signal_aborted").catch(()=>{})}catch{}}i(Xr,"cancelLive");function Zr(t,e,n,r){try{return ni(t,e,n,r)}catch(o){throw t.refusals.tell("spawn",e,n.staged?.label??n.text??null,o),o}}
i(Zr,"spawn");function ni(t,e,n,r){t.check(),Qr(t,e,n);let o=oi(n,r);if(t.seeded||ai(t),t.functions.checkConsumerSpawn!==
void 0){let y=St(t,o);if(y!==!0)throw new b("spawn_denied",y||"the host refused this spawn",{reason:y||null});t.check()}
t.gates.beforeSpawn(e,n,o),t.check(),Qr(t,e,n);let{staged:s,text:a}=n;a!==void 0&&!n.manual&&si(t,n.background);let u=new H(
t,o,n.asked);if(u.background=n.background,u.text=a,u.format=s?.json===!0?"json":"text",u.check=n.schema,n.watch!==void 0&&
(u.watch=n.watch),n.signal!==void 0&&(zr(u,n.signal),u.abortedEarly))throw eo(n.signal);if(s!==void 0&&!t.call(y=>y.stage(
s)))throw u.unfollow?.(),t.refusal();let d=a===void 0?0:t.write(a),c=s?.idempotencyKey===void 0?0:64,f=(n.background?1:0)|
(a===void 0?2:0)|(s===void 0?0:4)|(n.manual?8:0)|n.answers|c,l=K(t),m;try{m=t.core.begin(h(),e.slot,e.generation,e.run,f,
d,n.tokens,n.cost,n.turns)}catch(y){throw t.poison(y)}finally{B(l)}if(m===-1)throw u.unfollow?.(),t.refusal();let p=m<0?
ri(t,u,n,W(-2-m)):ti(t,u,n,m),k=t.contexts.enter(m<0?0:u.slot);return t.carryOut(),t.contexts.leave(k),t.expectSound(),t.
hosts.keepAwake(),p}i(ni,"begin");function ti(t,e,{text:n,manual:r,schema:o,signal:s},a){return e.slot=ne(a),e.generation=
bt(a),o!==void 0&&t.sessionData.check(e.slot,e.generation,o),t.contexts.keep(e.slot,e.generation),n===void 0?s!==void 0&&
t.signals.keepIdle(e,s):r||(e.run=1,t.runs.keep(e)),e}i(ti,"admitted");function ri(t,e,n,r){return e.unfollow?.(),n.repeated=
!0,ii(t,r)}i(ri,"repeated");function Qr(t,{slot:e,generation:n,run:r},{signal:o,background:s}){if(o?.aborted===!0)throw eo(
o);r!==0&&t.ask(a=>a.mayStart(e,n,r,s))}i(Qr,"expectNotStopped");function eo(t){return new b("aborted","the signal of th\
is spawn has fired already, so nothing was started",{},{cause:t.reason})}i(eo,"firedAlready");function oi({renamed:t,text:e},n){
return t?T("the options of spawn",()=>({...n,instructions:e})):n}i(oi,"paramsOf");function si({functions:t},e){if(t.spawnSubAgent!==
void 0||e&&t.spawnBackgroundSubAgent!==void 0)return;let n="spawnSubAgent";throw new b("invalid_argument","the manager w\
as made without `spawnSubAgent`, so nothing can run a sub-agent",{argument:n})}i(si,"checkHost");function ii(t,{slot:e,generation:n}){
let r=t.runs.liveOf(e,n);if(r!==void 0)return r;let o=new H(t,void 0);return o.slot=e,o.generation=n,o.run=t.call(s=>s.lastRun(
e,n)),o}i(ii,"lastRunOf");function St(t,e){let n=t.functions.checkConsumerSpawn;if(n===void 0)return!0;try{let r=n(e);if(typeof r!=
"object"||r===null)return`checkConsumerSpawn must return { allowed }, it returned ${w(r)}`;let[o,s]=[L(r,"allowed"),L(r,
"reason")];return o===!0?!0:o===!1?typeof s=="string"&&s!==""?s:!1:typeof r.then=="function"?(r.then(void 0,()=>{}),"che\
ckConsumerSpawn must answer at once, it returned a promise"):`checkConsumerSpawn must return { allowed: boolean }, allow\
ed is ${w(o)}`}catch(r){return`checkConsumerSpawn failed: ${x(r)}`}}i(St,"consumerGate");function ai(t){t.order(e=>e.seed(
h())),t.seeded=!0}i(ai,"seed");var ui=0x7375626167656e74n,di=32n,ro=i(t=>BigInt.asUintN(64,t),"low64"),no=i((t,e)=>ro(t<<e|t>>64n-e),"rotated");function to(t,e,n){
let r=ro(no(t,56n)+e)^n;return[r,no(e,3n)^r]}i(to,"mix");function oo([t=0n,e=0n],n,r){let[o,s]=[t,e],[a,u]=[ui,BigInt(r)<<
32n|BigInt(n)];for(let d=0n;d<di;d+=1n)[a,u]=to(a,u,s),[o,s]=to(o,s,d);return`sub_${[a,u].map(d=>d.toString(16).padStart(
16,"0")).join("")}`}i(oo,"taskIdOf");var An=class{static{i(this,"Lookup")}sessions=new Map;runtime;constructor(e){this.runtime=e}resolve(e,n){if(this.runtime.
check(),typeof n!="string")throw g("a target","an id or a handle",n);let r=this.runtime.write(Kn(n)?n.slice(0,160):""),{
slot:o,generation:s,run:a}=e,u=this.runtime.call(d=>d.find(o,s,a,r));if(u<0){let d=this.runtime.refusal();if(d.code==="a\
mbiguous_nickname")throw d;let c=new b(d.code,`${d.message}: ${w(n)}`,{...d.details,taskId:n});throw We(c,`${Ge(d)}: ${w(
n)}`)}return W(u)}nameOf(e,{nickname:n,taskId:r}){if(n===null)return r;let o=this.runtime.write(n),s=this.runtime.call(d=>d.
find(e.slot,e.generation,e.run,o));if(s<0)return r;let{slot:a,generation:u}=W(s);return this.taskId(a,u)===r?n:r}taskId(e,n){
let{idKey:r}=this.runtime;return r===void 0?this.runtime.call(o=>o.taskId(e,n)):oo(r,e,n)}snapshot(e,n){let r=this.runtime.
call(o=>o.get(e,n,h()));if(r===void 0)throw this.runtime.refusal();return xn(r)}about(e,n){let r=this.runtime.call(u=>u.
get(e,n,h()));if(r===void 0)return;let{label:o,parentId:s,metadata:a}=xn({...r,artifacts:null,value:null});return{label:o,
parentId:s,metadata:a,sessionKey:this.sessionKey(e,n)}}label(e,n){return this.runtime.call(r=>r.label(e,n))??null}sessionKey(e,n){
return this.runtime.call(r=>r.sessionKey(e,n))??null}brief(e,n){let r=this.runtime.call(f=>f.brief(e,n));if(r===void 0)throw this.
runtime.refusal();let[o,s,a="",u,d=st,c]=r;return{depth:o,label:s,contextHint:a,systemPrompt:u,profile:d,modelId:c}}openSession(e){
this.runtime.check();let n=this.runtime.write(e),r=this.runtime.journal?.goesOn===!0?this.runtime.call(a=>a.registerSession(
h(),n)):-1,o=r>=0?r:this.runtime.call(a=>a.openSession(h(),n));if(o<0)throw this.runtime.refusal();this.runtime.carryOut();
let s={...W(o),run:0};return this.sessions.set(s.slot,s.generation),s}eventId(e,n){return this.sessions.get(e)===n?null:
this.runtime.call(r=>r.eventId(e,n))??null}};function xn(t){let{artifacts:e,value:n,metadata:r}=t;return{...t,artifacts:e===
null?[]:JSON.parse(e),value:n===null?null:JSON.parse(n),metadata:cr(r)}}i(xn,"parseArtifacts");var so=64,On=class{static{i(this,"RemoteRuns")}lives=new Map;named=new Map;early=new Map;ended=new Map;sweepAt=so;runtime;constructor(e){
this.runtime=e}start(e,n){this.sweep(),this.list(e);let r;try{r=n(e.params(),e.handedRun())}catch(s){throw this.unlist(e),
s}let o=new Promise(s=>s(r));if(!this.isListed(e)){o.catch(()=>{});return}this.runtime.act(s=>s.startedElsewhere(h(),e.slot,
e.generation,e.run)),e.expectName(),this.runtime.alone(o.then(s=>this.started(e,s),s=>this.end(e,nn(x(s),s))))}started(e,n){
let r=ci(n);if(typeof r!="string"||r===""){this.end(e,ve(`spawnBackgroundSubAgent must resolve to { taskId }, it resolve\
d to ${w(n)}`));return}if(e.hostTaskId=r,this.isListed(e)&&this.named.set(r,(this.named.get(r)??new Set).add(e)),e.named?.
resolve(),this.runtime.isClosed)return;let o=this.runtime.write(r);this.runtime.act(a=>a.nameElsewhere(h(),e.slot,e.generation,
e.run,o));let s=this.early.get(r);this.early.delete(r),s!==void 0?this.end(e,le(s)):this.refuseEarly()}refuseEarly(){if(this.
early.size===0||this.isUnnamed())return;let e=[...this.early.keys()];this.early.clear();for(let n of e)this.runtime.report(
this.unknown(n))}isUnnamed(){return[...this.lives.values()].some(({hostTaskId:e})=>e===void 0)}report(e,n){if(typeof e!=
"string"||e==="")throw g("the id","a task id or the host's own id",e);let r=this.livesOf(e);if(r.length>1)throw new b("i\
nvalid_argument",`several sub-agents go by the host id ${w(e)}: report by task id`,{id:e});let[o]=r;if(o!==void 0){this.
end(o,le(n));return}let s=this.endedBy(e);if(s!==void 0){let a=Object.assign(new H(this.runtime,void 0),s);this.runtime.
hosts.settle(a,le(n));return}if(!this.isUnnamed())throw this.unknown(e);this.early.set(e,n)}livesOf(e){let n=[...this.named.
get(e)??[]],r=this.lives.get(this.placeOf(e));return r===void 0||n.includes(r)?n:[...n,r]}endedBy(e){let n=this.ended.get(
e)??this.ended.get(this.placeOf(e));return n!==void 0&&this.isKept(n)?n:void 0}placeOf(e){let n=this.runtime.write(e.slice(
0,160)),r=this.runtime.call(a=>a.find(0,0,0,n));if(r<0)return r;let{slot:o,generation:s}=W(r);return this.runtime.lookup.
taskId(o,s)===e?r:-2}isKept({slot:e,generation:n}){return this.runtime.call(r=>r.lastRun(e,n))>0}unknown(e){if(this.placeOf(
e)===-1){let n=this.runtime.refusal();if(n.code==="forgotten")return n}return new b("unknown_task",`no background sub-ag\
ent goes by ${w(e)}`,{id:e})}list(e){let n=Me(e),r=this.lives.get(n);r!==void 0&&this.unlist(r)&&this.keepEnded(r),this.
lives.set(n,e)}isListed(e){return this.lives.get(Me(e))===e}unlist(e){if(!this.isListed(e))return!1;this.lives.delete(Me(
e));let{hostTaskId:n}=e;if(n!==void 0){let r=this.named.get(n);r?.delete(e),r?.size===0&&this.named.delete(n)}return!0}keepEnded({
slot:e,generation:n,run:r,hostTaskId:o}){let s={slot:e,generation:n,run:r};this.ended.set(Me(s),s),o!==void 0&&this.ended.
set(o,s)}clear(){this.lives.clear(),this.named.clear(),this.early.clear(),this.ended.clear()}sweep(){if(!(this.lives.size+
this.ended.size<this.sweepAt)){for(let e of this.lives.values())this.runtime.call(n=>n.hasRun(e.slot,e.generation,e.run))||
(this.unlist(e),this.keepEnded(e));for(let[e,n]of this.ended)this.isKept(n)||this.ended.delete(e);this.sweepAt=Math.max(
so,(this.lives.size+this.ended.size)*2)}}end(e,n){if(!this.unlist(e))return;this.keepEnded(e),this.refuseEarly();let{check:r}=e,
o={...n,hostTaskId:n.hostTaskId??e.hostTaskId};r===void 0?this.runtime.hosts.settle(e,o):this.runtime.hosts.settleChecked(
e,o,r)}};function ci(t){try{return t?.taskId}catch{return}}i(ci,"hostId");var Tn=class{static{i(this,"HostCalls")}elsewhere;openHosts=0;runtime;scratch;alarm;constructor(e,n,r){this.runtime=e,this.
scratch=n,this.alarm=r,this.elsewhere=new On(e)}start(e){try{let{spawnSubAgent:n,spawnBackgroundSubAgent:r}=this.runtime.
functions;if(r!==void 0&&e.background){this.elsewhere.start(e,r);return}if(n===void 0)throw new Error("no spawnSubAgent \
was given to the manager");e.hostOpen=!0,this.openHosts+=1,this.alarm.hold(!0);let o=n(e.params(),e.handedRun());(fi(o)?
o:new Promise(a=>a(o))).then(a=>this.hostReturned(e,a),a=>this.hostThrew(e,a))}catch(n){this.hostThrew(e,n)}}settle(e,n){
if(e.settled||(this.runtime.runs.returned(e),this.hostIsOver(e),this.runtime.isClosed))return;e.returned=n;let r=K(this.
runtime);try{let{output:o,error:s,status:a,id:u,artifacts:d,value:c}=this.scratch.writeEnd(this.bounded(n));this.runtime.
core.settle(h(),e.slot,e.generation,e.run,n.how,o,s,a,u,d,c,n.tokens,n.cost,n.turns,n.durationMs)}catch(o){this.runtime.
poison(o)}finally{B(r)}for(let o of e.overWith??[])o();this.runtime.carryOut(),this.keepAwake()}settleManual(e,n,r){this.
runtime.check();let{output:o,error:s,artifacts:a}=this.runtime.call(()=>this.scratch.writeEnd(r));if(!this.runtime.call(
d=>d.settle(h(),e,n,0,r.how,o,s,4294967295,4294967295,a,4294967295,r.tokens,r.cost,r.turns,r.durationMs)))throw this.runtime.
refusal();this.runtime.runs.manualEnded(e,r),this.runtime.carryOut(),this.runtime.expectSound()}bounded(e){let{output:n}=e;
return n.length<=_?e:{...e,output:n.slice(0,Math.max(_,N(this.runtime,"maxResultBytes")+1))}}hostReturned(e,n){let r=le(
n),{check:o}=e;o===void 0||this.runtime.isClosed?this.settle(e,r):this.settleChecked(e,r,o)}settleChecked(e,n,r){let o=Qt(
n,r,N(this.runtime,"maxResultBytes"));o instanceof Promise?this.runtime.alone(o.then(s=>this.settle(e,s))):this.settle(e,
o)}hostThrew(e,n){Ae(n);let r=x(n);this.settle(e,nn(r,n))}hostIsOver(e){e.settled=!0,this.release(e)}goOnWithout(e){e.hostOpen&&
(this.release(e),this.keepAwake())}release(e){e.hostOpen&&(e.hostOpen=!1,this.openHosts-=1)}keepAwake(){if(this.openHosts>
0||this.runtime.isClosed)return;let e=this.runtime.unasked(n=>n.hasQueued())===!0;this.runtime.isClosed||(this.runtime.keepAlive.
hasQueued(e),this.alarm.hold(e||this.runtime.waits.areOpen))}};function fi(t){return t instanceof Promise&&t.constructor===
Promise&&t.then===Promise.prototype.then}i(fi,"isPlainPromise");var Rn=class{static{i(this,"KeepAlive")}count=0;queued=!1;alarm;manager;constructor(e,n){this.alarm=e,this.manager=n}begin(){
this.count+=1,this.count===1&&this.keep()}end(){this.count-=1,this.count===0&&this.keep()}hasQueued(e){this.queued!==e&&
(this.queued=e,this.keep())}clear(){this.count=0,this.queued=!1,this.keep()}keep(){this.alarm.keeps=this.count>0||this.queued?
this.manager:void 0}};var vn=class{static{i(this,"Pins")}runtime;open=new Map;places=new WeakMap;constructor(e){this.runtime=e}pinAll(e){let n=N(
this.runtime,"retain")<e.length;return e.map(({slot:r,generation:o})=>this.pin(r,o,n))}pin(e,n,r){let o=this.runtime.call(
u=>u.lastRun(e,n)),s={slot:e,generation:n,run:o,taskId:this.runtime.lookup.taskId(e,n)};if(!this.runtime.call(u=>u.isOpen(
e,n,o)))return s.ended=this.read(s),s;r&&(s.begun=this.read(s));let a=this.open.get(e);return a===void 0?this.open.set(e,
[s]):a.push(s),s}hold(e){return this.open.has(e)}ended(e,n,r,o){let s=this.open.get(e);if(s!==void 0)for(let a of s)a.run===
r&&a.generation===n&&(a.ended=this.asEnded(a,o))}retried(e,n,r){for(let o of this.open.get(e)??[])o.run===r&&o.generation===
n&&(o.run+=1)}asEnded(e,n){let r=this.read(e);if(r?.run===e.run)return r;let o=e.begun??r;return o&&this.kept(e,{...o,...mi(
e,n)})}unpin(e){for(let n of e){let r=this.open.get(n.slot)?.filter(o=>o!==n);r!==void 0&&(r.length===0?this.open.delete(
n.slot):this.open.set(n.slot,r))}}told(e,n,r){let o=this.read(e);if(n===Vr)return{told:n,view:r||o?.run===e.run?o??e.ended:
e.ended??o};let s=typeof n=="string"?n:null,a=o!==void 0&&(o.status==="running"||o.status==="pending")&&(r||o.run===e.run);
return o===void 0||a&&(s===null||o.question===s)?{told:n,view:o}:{told:n,view:this.kept(e,{...o,...li,run:e.run,question:s})}}read(e){
let{slot:n,generation:r}=e,o=this.runtime.call(s=>s.get(n,r,h()));return o&&this.kept(e,xn(o))}kept(e,n){return this.places.
set(n,e),n}placeOf(e){return this.places.get(e)}},li={status:"running",stopReason:null,output:"",error:null,endedAt:null,
durationMs:null,partial:!1,truncated:!1,artifacts:[]};function mi({run:t,begun:e},n){let{status:r,stopReason:o,output:s,
partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f}=n,{error:l=null,hostStatus:m=null,hostTaskId:p=null,artifacts:k,
value:y=null}=n,S={status:r,stopReason:o,output:s,partial:a,truncated:u,hostStillRunning:d,durationMs:c,usage:f,error:l,
hostStatus:m,hostTaskId:p},O=Math.floor(h()),A=n.started?e?.startedAt??O-c:null;return{run:t,...S,startedAt:A,endedAt:O,
updatedAt:O,parked:null,question:null,turns:f.turns,artifacts:[...k],value:y}}i(mi,"endOf");function io(t,{slot:e,generation:n},r,o){let{status:s,stopReason:a,output:u,error:d,hostStatus:c,figures:f}=o,l=t.writeAll(
[u,d??void 0,c??void 0]),[m,p,k]=l;return t.call(y=>y.resultText(e,n,r,Q.indexOf(s),R.indexOf(a),f.turns??-1,f.costUsd??
-1,f.durationMs??-1,m,p,k))}i(io,"endText");var pi=Object.freeze([]),hi=Object.freeze([]);function ao(t){if((t&7)===0)return pi;let e=[];return(t&1)!==0&&e.push("to\
kens"),(t&2)!==0&&e.push("costUsd"),(t&4)!==0&&e.push("turns"),e}i(ao,"dimensions");var te=class t{static{i(this,"RunRes\
ult")}run;status;stopReason;output;partial;truncated;error;cause;hostStatus;hostTaskId;hostStillRunning;artifacts;value;usage;durationMs;started;raisedBy;#e;#n;constructor(e,n,r,o,s,a,u,d,c,f,l,m,p,k,y){
this.#e=e,this.#n=typeof e=="string"?void 0:e,this.run=typeof e=="string"?0:e.run,this.status=n,this.stopReason=r,this.output=
o,this.partial=l,this.truncated=m,this.error=s?.error,this.cause=s?.cause,this.hostStatus=s?.hostStatus,this.hostTaskId=
s?.hostTaskId??this.#n?.hostTaskId,this.hostStillRunning=p,this.artifacts=s?.artifacts??hi,this.value=s?.valueJson===void 0?
void 0:s.value,this.usage={tokens:a,costUsd:u/1e9,turns:d,unknown:ao(c),invalid:ao(c>>>8)},this.durationMs=f,this.started=
k,this.raisedBy=y}get taskId(){return typeof this.#e!="string"&&(this.#e=this.#e.taskId),this.#e}get success(){return this.
status==="completed"}get backgrounded(){return this.status==="running"||this.status==="pending"}get report(){let e=this.#r;
return _r(this,e.run===this.run?e.agent:void 0,e.runtime,e)}get text(){let e=this.#r;return e.format==="json"?be(this.report):
io(e.runtime,e,this.run,this.#t)}get#t(){let{status:e,stopReason:n,output:r,error:o,hostStatus:s}=this;return{status:e,stopReason:n,
output:r,error:o,hostStatus:s,figures:this.figures}}get figures(){return mn(this.usage,this.started,this.durationMs)}get#r(){
return this.#n}toJSON(){let{cause:e,...n}=this;return{taskId:this.taskId,success:this.success,...n}}static movedToBackground(e){
let{runtime:n,slot:r,generation:o}=e;if(!n.call(a=>a.isOpen(r,o,e.run)))return;let s=n.lookup.snapshot(r,o);return s.background&&
!s.cancelRequested?t.of({...s,output:gn(s)},e):void 0}static of(e,n){let r={error:e.error??void 0,hostStatus:e.hostStatus??
void 0,hostTaskId:e.hostTaskId??void 0,artifacts:e.artifacts,value:e.value,valueJson:e.value===null?void 0:""},{runtime:o,
slot:s,generation:a}=n,u=o.call(f=>f.lastEnd(s)),d=o.call(f=>f.raisedBy(s,a))??null,c=new t(e.taskId,Q[u%256],R[u>>>8],e.
output,r,e.usage.tokens,e.usage.costUsd*1e9,e.usage.turns,0,e.durationMs??0,e.partial,e.truncated,e.hostStillRunning,e.startedAt!==
null,d);return c.#n=n,Object.assign(c,{run:e.run,usage:e.usage})}};var gi=["timeout","stopped"];function uo(t,e,n){let{asking:r}=t;t.asking=void 0,r!==void 0&&r.resolve(e===0?{answered:!0,
answer:n}:{answered:!1,reason:gi[e-1]??"stopped"})}i(uo,"askDone");function At(t,e,n){let r=t.call(a=>a.question(e,n)),o=t.
lookup.taskId(e,n),s=`the sub-agent ${o} asks and waits for a message`;return new b("needs_input",r===void 0?s:`${s}: '${E(
r,Ue)}'`,{taskId:o,question:r??null})}i(At,"needsInput");var bi=1,Ot=2,yi=4,co=8,wi=16;function xt(t,e,n){return`${t} ${e} ${n}`}i(xt,"nameOf");var jn=class{static{i(this,"Runs")}lives=[];endedOpen=new Map;manualEnds=new Map;runtime;constructor(e){
this.runtime=e}keep(e){this.lives[e.slot]===void 0&&this.runtime.keepAlive.begin(),this.lives[e.slot]=e}startRun(e,n,r){
if(this.runtime.isClosed)return;let o=this.find(e,n,r)??this.newLive(e,n,r);if(this.lives[e]!==o&&!this.runtime.call(s=>s.
isOpen(e,n,r))){this.runtime.hosts.settle(o,pe());return}this.keep(o),o.text??=this.runtime.call(s=>s.message(e)),this.runtime.
contexts.run(e,n,()=>this.start(o))}newLive(e,n,r){let o=new H(this.runtime,void 0);return o.slot=e,o.generation=n,o.run=
r,o}start(e){let{gates:n,hosts:r}=this.runtime;n.sub.has("before_start")?n.start(e,()=>r.start(e)):r.start(e)}find(e,n,r){
let o=this.lives[e];return o?.run===r&&o.generation===n?o:void 0}findOpen(e,n,r){return this.find(e,n,r)??this.endedOpen.
get(xt(e,n,r))}runEnded(e,n,r,o,s,a,u,d,c,f,l,m,p,k){let{pins:y,scratch:S}=this.runtime,O=k===0?null:S.read(p,k),A=this.
find(e,n,r);if(A?.hostOpen!==!0&&this.runtime.hosts.keepAwake(),A===void 0){if(!y.hold(e))return;let Le=this.manualEnds.
get(e);this.manualEnds.delete(e);let Ro=(a&co)!==0?S.read(l,m):Le?.output??"";y.ended(e,n,r,fo("",o,s,a,Ro,Le,u,d,c,f,O));
return}this.lives[e]=void 0,this.runtime.keepAlive.end(),(a&Ot)!==0&&(this.endedOpen.set(xt(e,n,r),A),this.runtime.hosts.
goOnWithout(A)),A.unfollow?.(),A.agent?.stop(),!A.settled&&!A.hostOpen&&A.abort(R[s]??"never_reported");let V=(a&Ot)===0?
A.returned??ki(A.before):void 0,Nn=(a&co)!==0?S.read(l,m):V?.output??"";R[s]==="policy"&&(V={...V??pe(),...this.madeByPolicy(
A)}),A.result=fo(A,o,s,a,Nn,V,u,d,c,f,O),y.ended(e,n,r,A.result);for(let{resolve:Le}of A.followers??[])Le(A.result);A.named?.
resolve();let De=A.turn;De!==void 0&&(A.turn=void 0,De.resolve({go:!1,reason:R[s]??"host_failed"}))}manualEnded(e,n){this.
runtime.pins.hold(e)&&this.manualEnds.set(e,n)}runRetried(e,n,r,o){let{pins:s,sessionData:a,hosts:u}=this.runtime;a.empty(
e,n),s.retried(e,n,r),u.keepAwake();let d=this.find(e,n,r);if(d===void 0)return;d.agent?.stop();let c=R[o]??"host_failed";
d.turn?.resolve({go:!1,reason:c}),d.turn=void 0,this.lives[e]=d.again(c)}madeByPolicy({slot:e,generation:n,agent:r}){if(this.
runtime.call(a=>a.status(e,n))<0){let a=r?.blockedBecause;return{error:a&&Xe(a,N(this.runtime,"maxResultBytes")),artifacts:void 0}}
let{error:o,artifacts:s}=this.runtime.lookup.snapshot(e,n);return{error:o??void 0,artifacts:s}}abortRun(e,n,r,o){let s=this.
findOpen(e,n,r);s!==void 0&&(s.agent?.stop(),this.runtime.contexts.run(e,n,()=>s.abort(R[o]??"cancelled")))}policiesDue(e,n,r,o){
let s=this.findOpen(e,n,r);if(s===void 0)return;let a=R[o];a==="timeout"||a==="idle_timeout"?this.runtime.contexts.run(e,
n,()=>this.runtime.gates.timedOut(s,a)):s.agent?.overdue()}askDone(e,n,r,o,s,a){let u=this.find(e,n,r);u!==void 0&&uo(u,
o,this.runtime.scratch.read(s,a))}turnReady(e,n,r){let o=this.find(e,n,r);if(o===void 0)return;let s=o.takeStart();if(s!==
void 0){this.runtime.contexts.run(e,n,s);return}let{turn:a}=o;if(a===void 0)return;let u=this.beginTurn(o,a.estimate);u!==
void 0&&(o.turn=void 0,a.resolve(u))}liveOf(e,n){let r=this.lives[e];if(r!==void 0&&r.generation===n)return r;let o=this.
runtime.call(a=>a.lastRun(e,n));if(o===0||!this.runtime.call(a=>a.isOpen(e,n,o)))return;let s=this.newLive(e,n,o);return this.
keep(s),s}takeTurn(e,n){let r=this.beginTurn(e,n),o=r===void 0?new Promise((s,a)=>{e.turn={estimate:n,resolve:s,reject:a}}):
this.runtime.answer(r);return this.runtime.carryOut(),o}beginTurn({slot:e,generation:n,run:r},{tokens:o,cost:s}){let a=this.
runtime.call(m=>m.beginTurn(h(),e,n,r,o,s));if(a===0)return;if(a===-1)return{go:!1,reason:"actor_ended"};if(a<0)return{go:!1,
reason:R[-2-a]??"cancelled"};let{turn:u,injects:d,wrapUp:c}=ln(a),f=d?{inject:this.runtime.call(m=>m.takeInject())}:void 0;
if(c===void 0)return{go:!0,turn:u,...f};let l=this.runtime.call(m=>({tokens:m.heldTokens(e),costUsd:m.heldDollars(e)}));
return{go:!0,turn:u,wrapUp:!0,reason:c,...l,...f}}returned({slot:e,generation:n,run:r}){this.endedOpen.size>0&&this.endedOpen.
delete(xt(e,n,r))}batchOver(){this.endedOpen.clear()}close(e){for(let n of this.lives)if(n!==void 0){n.turn?.reject(e),n.
turn=void 0,n.asking?.reject(e),n.asking=void 0;for(let{reject:r}of n.followers??[])r(e);n.named?.resolve(),n.unfollow?.(),
n.agent?.stop(),n.abort(e.code==="disposed"&&this.runtime.journal===void 0?"cancelled":"host_lost")}this.lives.length=0,
this.manualEnds.clear()}};function ki(t){return t&&{...pe(),error:t.error,cause:t.cause}}i(ki,"errorOf");function fo(t,e,n,r,o,s,a,u,d,c,f){
return new te(t,Q[e]??"failed",R[n]??"host_failed",o,s,a,u,d,r>>>8,c,(r&bi)!==0,(r&yi)!==0,(r&Ot)!==0,(r&wi)===0,f)}i(fo,
"resultOf");var Pn=class{static{i(this,"SessionData")}kept=new Map;runtime;constructor(e){this.runtime=e}of(e,n){return this.keptOf(
e,n).values}empty(e,n){let r=this.kept.get(e);r?.generation===n&&r.values.clear()}check(e,n,r){this.keptOf(e,n).check=r}checkOf(e,n){
let r=this.kept.get(e);return r?.generation===n?r.check:void 0}keptOf(e,n){let r=this.kept.get(e);if(r?.generation===n)return r;
if(this.runtime.call(s=>s.status(e,n))<0)throw new b("forgotten","this sub-agent has been forgotten");this.runtime.call(
s=>s.tellForgotten());let o={generation:n,values:new Map};return this.kept.set(e,o),o}taskForgotten(e,n){this.kept.get(e)?.
generation===n&&this.kept.delete(e)}clear(){this.kept.clear()}};function lo(t){let e=t.call(r=>r.claimed()),n=[];for(let r=0;r<e.length;r+=3){let[o,s,a]=e.subarray(r,r+3),u=t.call(d=>d.
deliveryId(o,s,a));n.push({deliveryId:u,taskId:t.lookup.taskId(o,s),run:a})}return n}i(lo,"claimedEnds");var mo=-2,Si=-3,po=-4,Ai="only the waiting was aborted: what was to be stopped is being stopped all the same",En=class{static{
i(this,"Waits")}open=[];crowded=new Map;count=0;untilClosed=new Set;runtime;constructor(e){this.runtime=e}get areOpen(){
return this.count>0||this.untilClosed.size>0}waitFor(e,n,r,o){this.runtime.check();let{slot:s,generation:a}=n,u=this.runtime.
runs.liveOf(s,a),d=r===Number.POSITIVE_INFINITY&&e.run===0&&!this.runtime.listeners.listening,c=d?0:h(),f=K(this.runtime),
l;try{l=this.runtime.core.wait(c,e.slot,e.generation,e.run,s,a,r)}catch(p){throw this.runtime.poison(p)}finally{B(f)}if(l===
-1)throw this.runtime.refusal();if(l<0){let p=this.answered(l,n);return this.runtime.carryOut(),p}let m=this.waiting(l,u,
e,o);return d||this.runtime.carryOut(),m}answered(e,n){return e===po?this.runtime.answer(void 0):e===Si?Promise.reject(At(
this.runtime,n.slot,n.generation)):this.runtime.answer(this.pastResult(n))}waiting(e,n,r,o){return new Promise((s,a)=>{this.
keep({wait:e,live:n,actor:r,resolve:s,reject:a},o),this.runtime.hosts.keepAwake()})}pastResult({slot:e,generation:n,latest:r}){
let o=this.runtime.call(s=>s.lastRun(e,n));return r.result!==void 0&&(o===0||r.run===o)?r.result:te.of(this.runtime.lookup.
snapshot(e,n),r)}waitMany(e,n,{all:r,idle:o,timeoutMs:s},a,u){let d=new Uint32Array(n.flatMap(m=>[m.slot,m.generation])),
c=(r?1:0)+(o?2:0),f=this.runtime.call(m=>m.waitMany(h(),e.slot,e.generation,e.run,d,c,s));if(f===-1)throw this.runtime.refusal();
if(f>=0)return this.opened(f,u,void 0,a);let l=a(f===po,this.runtime.call(m=>m.told())??[]);return this.runtime.carryOut(),
this.runtime.answer(l)}cancel(e,n,r,o,s=Number.NaN,a){return this.settled(u=>u.cancel(h(),e.slot,e.generation,e.run,n,r,
R.indexOf(o),s),a)}settled(e,n){let r=this.runtime.call(e);if(r===-1)throw this.runtime.refusal();let o={acked:lo(this.runtime)},
s=this.opened(r,n,Ai);return r===mo?this.runtime.answer(o):s.then(()=>o)}opened(e,n,r,o){let s=e===mo?this.runtime.answer(
void 0):new Promise((a,u)=>{this.keep({wait:e,live:void 0,read:o,resolve:a,reject:u},n,r),this.runtime.hosts.keepAwake()});
return this.runtime.carryOut(),s}drain(e){this.runtime.act(r=>r.startDrain(h(),e));let n=this.runtime.call(r=>r.drain(h(),
e));return this.runtime.keepAlive.begin(),new Promise((r,o)=>{this.untilClosed.add(o),this.runtime.hosts.keepAwake(),n.then(
s=>{this.untilClosed.delete(o)&&this.runtime.keepAlive.end(),this.runtime.hosts.keepAwake(),r(s)},s=>o(this.runtime.poison(
s)))})}keep(e,n,r="the wait was aborted; that touches no sub-agent"){let{wait:o}=e,s=ne(o);this.open[s]===void 0?this.open[s]=
e:this.crowded.set(o,e),this.runtime.keepAlive.begin(),this.count+=1,n!==void 0&&this.follow(e,n,r)}take(e){let n=ne(e),
r=this.open[n];if(r?.wait===e)return this.open[n]=void 0,r;if(this.crowded.size===0)return;let o=this.crowded.get(e);return this.
crowded.delete(e),o}done(e,n,r){let o=this.take(e);if(o===void 0)return;this.runtime.keepAlive.end(),this.count-=1,this.
runtime.hosts.keepAwake();let{resolve:s,unfollow:a}=o,u=o.live?.latest;a?.();try{u===void 0?s(o.read===void 0?n:o.read(n,
r??[])):u.result===void 0&&!n?this.endWithout(o,u):s(n?void 0:u.result)}catch(d){o.reject(d)}}endWithout({actor:e,resolve:n,
reject:r},o){let{slot:s,generation:a}=o,{runtime:u}=this;if(u.call(c=>c.question(s,a))!==void 0){r(At(u,s,a));return}let d=te.
movedToBackground(o);d!==void 0?n(d):e!==void 0&&this.waitFor(e,o,Number.POSITIVE_INFINITY).then(n,r)}rejectAll(e){for(let n of[
...this.open,...this.crowded.values()])n!==void 0&&(n.unfollow?.(),n.reject(e));this.open.length=0,this.crowded.clear(),
this.count=0;for(let n of this.untilClosed)n(e);this.untilClosed.clear()}follow(e,n,r){let{wait:o}=e,s=ne(o),a=i(()=>{this.
open[s]!==e&&this.crowded.get(o)!==e||(delete e.actor,e.reject(new b("aborted",r,{},{cause:n.reason})),this.runtime.unasked(
u=>u.endWait(h(),s,o)),this.runtime.carryOut())},"fire");if(n.aborted){a();return}e.unfollow=kt(n,a)}};var In=class{static{i(this,"Wakes")}#e;#n=new Map;#t=new Set;#r=new Set;constructor(e){this.#e=e}register(e,n,r){r===void 0?
this.#n.delete(e):this.#n.set(e,{scope:n,onWake:X(r)})}mark(e){this.#n.has(e)&&(this.#t.size===0&&queueMicrotask(()=>this.#o()),
this.#t.add(e),!this.#r.has(e)&&(this.#r.add(e),this.#e.keepAlive.begin()))}review(){for(let e of this.#r)this.#n.has(e)&&
this.#e.unasked(n=>n.noticesWait(e))===!0||this.#r.delete(e)&&this.#e.keepAlive.end()}clear(){this.#n.clear(),this.#r.clear()}#o(){
let e=this.#t;this.#t=new Set;for(let n of e){let r=this.#n.get(n),o=this.#e.unasked(s=>s.pendingNotices(n));r===void 0||
o===void 0||o===0||(this.#e.tell(()=>r.onWake(r.scope,{pending:o})),this.#e.unasked(s=>s.woken(h(),n)),this.#e.carryOut())}
this.review()}};function ho(t){return(typeof t=="string"?t.trim()===""?void 0:JSON.parse(t):t)??{}}i(ho,"parsed");function go(t){let e=vi({...t.schema},s=>t.check(s)),{name:n,label:r,description:o}=t;return{name:n,label:r,description:o,
parameters:e,inputSchema:e,execute(...s){return s.length>1&&xi(s[0])?Oi(t,s):Ti(t,s)}}}i(go,"toolObject");function xi(t){
return typeof t=="string"&&!/^\s*[{["]/.test(t)}i(xi,"isCallId");async function Oi(t,e){let[n,r,o,s]=e,a=typeof s!="func\
tion"?void 0:c=>{let f=c(),l={content:[{type:"text",text:f.text}],details:t.detailsOf(f)};return s(l)},{text:u,details:d}=await t.
call(r,{signal:bo(o),toolCallId:n,progress:a});return{content:[{type:"text",text:u}],details:d}}i(Oi,"calledByPi");function Ti(t,e){
let n=new Tt,r=(async()=>{let[o,s]=e,{signal:a,abortSignal:u,toolCallId:d,onUpdate:c,writer:f,outputWriter:l}=T("the opt\
ions of the call",()=>{let y=i(V=>L(Object(s),V),"given"),[S,O,A]=[y("signal"),y("abortSignal"),y("toolCallId")];return{
signal:S,abortSignal:O,toolCallId:A,onUpdate:y("onUpdate"),writer:y("writer"),outputWriter:y("outputWriter")}}),m=typeof c==
"function"?c:Ri(f,l,d),p=i(y=>(n.push(y),m?.(y())),"progress"),k={signal:bo(a??u),toolCallId:typeof d=="string"?d:void 0,
progress:p};return(await t.call(o,k)).text})();return Object.defineProperty(r,Symbol.asyncIterator,{value:i(()=>n.until(
r),"value")})}i(Ti,"called");function bo(t){return Ve("`signal`",t??void 0)}i(bo,"signalFrom");function Ri(t,e,n){if(typeof t==
"function")return r=>t({type:"subagent-progress",toolCallId:n,...r});if(typeof e=="function")return r=>{Promise.resolve(
e({type:"data-subagent-progress",data:{toolCallId:n,...r}})).catch(()=>{})}}i(Ri,"sinkOf");var Tt=class{static{i(this,"U\
pdates")}newest=void 0;count=0;waiting=[];push(e){this.newest=e,this.count+=1,this.wake()}wake(){for(let e of this.waiting.
splice(0))e()}async*until(e){let n=!1,r=0,o=i(()=>{n=!0,this.wake()},"end");for(e.then(o,o);;)if(this.newest!==void 0&&this.
count>r)r=this.count,yield this.newest().text;else{if(n)break;await new Promise(s=>{this.waiting.push(s)})}yield await e}};
function vi(t,e){let n=i(()=>structuredClone(t),"plain");return Object.defineProperty(t,"~standard",{enumerable:!1,value:{
version:1,vendor:"subagents",validate(r){let o=e(r);return"params"in o?{value:ho(r)}:{issues:o.mistakes.map(s=>({message:s}))}},
jsonSchema:{input:n,output:n}}})}i(vi,"withStandard");function yo(t){return t===void 0?"Send it a message to answer.":`${t} answers it.`}i(yo,"howToAnswer");function Fe(t,e,n,r){if(n===void 0)return r.text;try{let o=n(r);if(typeof o=="string"&&o!=="")return o;t.report(g(`what \
\`texts.${e}\` returns`,"a text that is not empty",o))}catch(o){t.report(o)}return r.text}i(Fe,"said");function Rt(t,{taskId:e,hostTaskId:n}){if(n===null)return e;let r=t.write(e),o=t.call(u=>u.find(0,0,0,r));if(o<0)return e;
let{slot:s,generation:a}=W(o);return t.call(u=>u.toldId(s,a))}i(Rt,"idTold");var _n=class{static{i(this,"Answers")}runtime;options;others;constructor(e,n,r){this.runtime=e,this.options=n,this.others=
r}refused(e,n,r=Pi(n)){let o=`No sub-agent was started: ${e}`,{texts:s}=this,a=r===void 0?Fe(this.runtime,"refused",s?.refused,
{reason:e,text:o}):Fe(this.runtime,"limitReached",s?.limitReached,{...r,text:o}),u=this.detailsOfNone(n),{taskId:d,status:c}=u;
return{text:this.told(a,d||null,c,a),details:u}}reported(e){let n=this.detailsOfNone();return{text:this.isJson&&at(e)===
void 0?be({...pn(null,"refused",null),output:e}):e,details:n}}started(e,n){let{taskId:r,hostTaskId:o,slot:s,generation:a}=e,
{collect:u}=this.others,d=this.runtime.call(S=>S.toldId(s,a)),c=e.snapshot(),{label:f}=c,l=ko(c),m=`${gn({label:f,taskId:d})}${u===
void 0?"":` ${u} gets its result.`}`,p=Fe(this.runtime,"started",this.texts?.started,{id:d,taskId:r,hostTaskId:o,label:f,
text:m}),k=this.told(p,r,l),y={taskId:r,background:!0,status:l,durationMs:null,turns:null,cost:null};return o!==void 0&&
(y.hostTaskId=o),{text:k,details:this.withModel(y,n)}}startedBefore(e){let{taskId:n,status:r,label:o,modelId:s}=e,a=`Sub\
agent [${E(o,Z)}] was started before (id: ${Rt(this.runtime,e)}); it is ${r}.`;return{text:this.told(a,n,r),details:this.
withModel(wo(e,!0,r),s??void 0)}}goesOn(e){let n=ko(e),r=`The call was aborted; sub-agent ${Rt(this.runtime,e)}, which w\
as started before, goes on.`;return{text:this.told(r,e.taskId,n),details:this.withModel(wo(e,!1,n),e.modelId??void 0)}}asked(e,n,r){
let{slot:o,generation:s,taskId:a}=e,d=`${n===void 0?`Subagent [${E(e.brief().label,Z)}] (id: ${this.runtime.call(l=>l.toldId(
o,s))}) asked, and has been answered meanwhile.`:`${n}
${yo(this.others.answer)}`} It goes on in the background; I'll notify you when it completes.`,c=this.isJson?be({...pn(a,
"running",null),output:d}):d,f={taskId:a,background:!0,status:"running",durationMs:null,turns:null,cost:null};return{text:c,
details:this.withModel(f,r)}}ended(e,n,r){let{status:o,hostStatus:s}=n,{turns:a,costUsd:u,durationMs:d}=n.figures,{rest:c}=this.
others,l=c!==void 0&&!this.isJson&&this.runtime.write(n.output)>N(this.runtime,"inlineBytes")?`${n.text}
${c} shows what was left out.`:n.text,m={taskId:e.taskId,background:e.background,status:o,durationMs:d,turns:a,cost:u};n.
hostTaskId!==void 0&&(m.hostTaskId=n.hostTaskId),s!==void 0&&(m.hostStatus=s),n.artifacts.length>0&&(m.artifacts=n.artifacts);
let p=o==="completed"?"completed":"failed",k=this.texts?.[p];return{text:k===void 0?l:Fe(this.runtime,p,k,this.factsOf(e,
n,m,l)),details:this.withModel(m,r)}}detailsOfNone(e){let n=e?.code==="idempotency_forgotten",r=n?e.details.taskId:"",o=n?
"forgotten":"refused";return this.withModel({taskId:r,background:!1,status:o,durationMs:null,turns:null,cost:null})}get texts(){
return this.isJson?void 0:this.options.texts}get isJson(){return this.options.format==="json"}told(e,n,r,o=null){return this.
isJson?be(pn(n,r,o)):e}factsOf(e,n,{turns:r,cost:o,durationMs:s},a){let{taskId:u,slot:d,generation:c}=e,{hostTaskId:f,status:l,
stopReason:m,output:p}=n,k=this.runtime.call(A=>A.toldId(d,c)),y=ji(e),S=a.indexOf(`
`),O=S<0?"":a.slice(S+1);return{id:k,taskId:u,hostTaskId:f,label:y,status:l,stopReason:m,turns:r,cost:o,durationMs:s,output:p,
fenced:O,text:a}}withModel(e,n){try{let r=n??this.runtime.functions.getModelId?.();return typeof r=="string"?{...e,modelId:r}:
e}catch{return e}}};function wo(t,e,n){return{...Ii(t),taskId:t.taskId,background:e,status:n,durationMs:null,turns:null,
cost:null}}i(wo,"openDetails");function ko({status:t}){return t==="pending"?"pending":"running"}i(ko,"underWay");function re(t){
return Wn(t)&&t.code!=="disposed"&&t.code!=="internal"}i(re,"isRefusal");function ji(t){try{return t.brief().label}catch(e){
if(re(e))return"";throw e}}i(ji,"labelOf");function Pi(t){if(t===void 0||!Ei.has(t.code))return;let{active:e,limit:n}=t.
details;return{active:e,limit:n}}i(Pi,"fullBy");var Ei=new Set(["concurrency_limit","queue_full","children_limit","tasks\
_limit","abandoned_limit"]);function Ii({hostTaskId:t}){return t===null?{}:{hostTaskId:t}}i(Ii,"hostIdOf");function So(t){let e=0,n="";return(r,o)=>{e=o.turn??e,n=o.message??n;let s={turn:e,message:n};r.runtime.tell(()=>{let{taskId:a}=r,
{label:u}=r.brief();return t(()=>_i({taskId:a,label:u,...s}))})}}i(So,"watcher");function _i(t){let{label:e,turn:n,message:r}=t,
o=n===0?"has started":`is at turn ${n}`,s=`[${E(e,Z)}] ${o}${r===""?"":`: ${E(r,Ue)}`}`;return{...t,text:s}}i(_i,"progre\
ssOf");var Cn=class{static{i(this,"SpawnCall")}runtime;actor;options;answers;isAlone;constructor(e,n,r,o={},s=!1){this.isAlone=
s,this.runtime=e,this.actor=n,this.options=Object.assign(Object.create(null),r),this.answers=new _n(e,this.options,o)}async run(e,n){
this.runtime.check();let r=await this.answer(e,n),{onDetails:o}=this.options;return o!==void 0&&this.runtime.tell(()=>o(
r.details,n.toolCallId)),r}async answer(e,n){let{signal:r,toolCallId:o,progress:s}=n;if("mistakes"in e)return this.answers.
refused(`${e.mistakes.join("; ")}. Correct the arguments and call again.`);let a=this.hostLimit();if(a!==void 0){let{instructions:S}=e.
params;return this.runtime.refusals.tell("spawn",this.actor,S,new b("spawn_denied",a.why)),this.answers.refused(a.why,void 0,
a.full)}if(r?.aborted===!0)return this.answers.refused("the call was aborted before it began.");let{params:u,checked:d}=e,
c,f,{backgroundTimeoutMs:l}=this.options,[m,p,k]=[this.keyOf(o,u),this.originOf(),this.metadataOf(o,u)];try{let S=J("wha\
t `idempotencyKey` returns",m),O={...d,...S!==void 0&&{idempotencyKey:S},...p!==void 0&&{origin:p},...k!==void 0&&{metadata:k}};
f=Ie(O,this.runtime,!0),f.background&&l!==void 0&&(f=Ie({...O,timeoutMs:l},this.runtime,!0)),f.signal=r,f.answers=this.answerers,
this.options.format==="json"&&(dn(f).json=!0),s!==void 0&&!f.background&&(f.watch=So(s)),c=Zr(this.runtime,this.actor,f,
u)}catch(S){if(re(S))return typeof S.details.report=="string"?this.answers.reported(S.details.report):this.answers.refused(
`${$i(Ge(S))}${Ni(S.code)}`,S);throw S}let y=f.staged?.modelId??this.modelOf(c);try{return f.repeated===!0?await this.repeated(
c,f.background,r):f.background?(await(c.named&&Pt(c.named.promise,N(this.runtime,"graceMs"))),this.runtime.check(),Ci(r)||
this.isAlone&&c.result?.success===!1?await this.outcome(c,y):this.movedOn(c,y)):await this.outcome(c,y)}catch(S){if(re(S)&&
c.result!==void 0)return this.answers.ended(c,c.result,y);throw S}}async outcome(e,n){try{let r=await this.runtime.waits.
waitFor(this.actor,e,Number.POSITIVE_INFINITY);return r.backgrounded?this.movedOn(e,n):this.answers.ended(e,r,n)}catch(r){
if(re(r)&&r.code==="needs_input")return this.asks(e,n);throw r}}keyOf(e,n){let{idempotencyKey:r}=this.options;return r===
void 0?void 0:r(e,n)}metadataOf(e,n){let{metadata:r}=this.options;return typeof r=="function"?r(e,n):r}originOf(){let{origin:e}=this.
options;return typeof e=="function"?e():e}async repeated(e,n,r){let o=this.runtime.lookup.snapshot(e.slot,e.generation),
s=o.modelId??void 0;if(n)return this.answers.startedBefore(o);try{let a=await this.runtime.waits.waitFor(this.actor,e,Number.
POSITIVE_INFINITY,r);return a.backgrounded?this.answers.started(e,s):this.answers.ended(e,a,s)}catch(a){if(re(a)&&a.code===
"needs_input")return this.asks(e,s);if(!(re(a)&&a.code==="aborted"))throw a;return this.answers.goesOn(o)}}get answerers(){
let{canAnswer:e}=this.options;return e===void 0?16:e?0:32}async asks(e,n){let{slot:r,generation:o}=e,{actor:s}=this,a=this.
runtime.call(d=>d.questionText(r,o));return this.runtime.act(d=>d.moveToBackground(h(),s.slot,s.generation,s.run,r,o))?(this.
letGoOfCall(e),this.answers.asked(e,a,n)):this.outcome(e,n)}movedOn(e,n){return this.letGoOfCall(e),this.answers.started(
e,n)}letGoOfCall(e){e.unfollow?.(),e.unfollow=void 0}hostLimit(){let{canSpawn:e,getConcurrencyInfo:n}=this.runtime.functions;
if(e!==void 0)try{if(e()===!0)return;let r=n?.();return{why:`${r===void 0?"the limit of sub-agents is reached":`${r.active}\
 of ${r.limit} sub-agents are running`}. Wait until one ends, or do the work yourself.`,full:{active:r?.active,limit:r?.
limit}}}catch(r){return{why:`the host could not say whether a sub-agent may start: ${E(x(r),Ke)}.`}}}modelOf({slot:e,generation:n}){
return this.runtime.isClosed?void 0:this.runtime.call(r=>r.modelId(e,n))}};function Ci(t){return t?.aborted===!0}i(Ci,"h\
asFired");function $i(t){return/[.!?…]$/u.test(t)?t:`${t}.`}i($i,"sentence");function Ni(t){return["concurrency_limit",
"queue_full","children_limit"].includes(t)?" Wait until one ends, or do the work yourself.":["budget_exhausted","depth_l\
imit","draining","abandoned_limit","tasks_limit"].includes(t)?" Do the work yourself.":""}i(Ni,"adviceOn");function Ao(t,e=[]){try{return Mi(typeof t=="string"?JSON.parse(t):t,e)}catch(n){return{mistakes:[`the arguments can't b\
e read: ${E(x(n),Ke)}`]}}}i(Ao,"checkArguments");function Mi(t,e){if(typeof t!="object"||t===null||Array.isArray(t))return{
mistakes:[`the arguments must be an object with \`instructions\`, got ${w(t)}`]};let n=[],r=i(p=>L(t,p),"given"),[o,s]=[
r("instructions"),r("systemPrompt")],[a,u,d]=[r("maxTurns"),r("maxCost"),r("background")],c=e.length>0?r("agent"):void 0,
f=Fi(r("tools")),l=i((p,k,y)=>{n.push(`\`${p}\` must be ${k}, got ${w(y)}`)},"wrong");if((typeof o!="string"||o.trim()===
"")&&l("instructions","a text that says the whole task",o),!oe(f)&&!(Array.isArray(f)&&f.every(p=>typeof p=="string"))&&
l("tools","a list of tool names",f),!oe(s)&&typeof s!="string"&&l("systemPrompt","a text",s),!oe(a)&&!(Number.isInteger(
a)&&a>=1)&&l("maxTurns","a whole number of at least 1",a),!oe(u)&&!(typeof u=="number"&&u>0&&u<Number.POSITIVE_INFINITY)&&
l("maxCost","a number of US dollars above 0",u),!oe(d)&&typeof d!="boolean"&&l("background","true or false",d),!oe(c)&&!(typeof c==
"string"&&e.includes(c))&&l("agent",`one of ${e.join(", ")}`,c),n.length>0)return{mistakes:n};let m=Object.entries({instructions:o,
tools:f,systemPrompt:s,maxTurns:a,maxCost:u,background:d,agent:c}).filter(([,p])=>!oe(p));return{params:t,checked:Object.
fromEntries(m)}}i(Mi,"check");function Fi(t){return Array.isArray(t)?Jt("`tools`",t):t}i(Fi,"listOf");function oe(t){return t==
null}i(oe,"absent");function xo(t,e){return Di(t,Ne,{},e)}i(xo,"makeTool");function Di(t,e,n,r,o=!1){let{names:s,descriptions:a}=t.agents,u=Li(
r.parameters,s),d=s.length===0?r.description:`${r.description}

What \`agent\` may name:
${a}`,c=i(f=>Ao(f,s),"check");return Ui(new Cn(t,e,n,{},o),{name:r.name,description:d,schema:u,check:c})}i(Di,"assemble");
function Li(t,e){if(e.length===0)return{...t};let n={type:"string",enum:e,description:"The kind of sub-agent to use. Lea\
ve it out for a general one."};return{...t,properties:{...t.properties,agent:n}}}i(Li,"withAgents");function Ui(t,e,n){let{
name:r,description:o,schema:s,check:a}=e;return go({name:r,label:"Sub-agent",description:o,schema:s,check:i(u=>a(u),"che\
ck"),async call(u,d){let c=a(u);return await n?.(c,d)??t.run(c,d)},detailsOf:i(({taskId:u,turn:d})=>({taskId:u,background:!1,
status:"running",durationMs:null,turns:d,cost:null}),"detailsOf")})}i(Ui,"spawnTool");var $n=class{static{i(this,"Runtime")}host;door;core;functions;agents=new he(void 0);profiles=new ge(void 0);gates;journal=void 0;seeded=!1;idKey=void 0;scratch;runs=new jn(
this);hosts;waits=new En(this);lookup=new An(this);listeners;refusals=new wn(this);sessionData=new Pn(this);contexts=new rn;pins=new vn(
this);wakes=new In(this);signals=new Sn;keepAlive;alarm;runMaker;closed;constructor(e,n,r){this.functions=n,this.runMaker=
r,this.door=new bn(this),this.alarm=new se(Ki(Se(this.door))),this.keepAlive=new Rn(this.alarm,this),this.host=Gr(this,this.
door,this.alarm),this.core=new e.SubAgentCore(this.host),e.onFailure=o=>this.poison(o),this.scratch=new Je(this.core,e.memory),
this.hosts=new Tn(this,this.scratch,this.alarm),this.listeners=new yn(this,this.scratch),this.gates=new we(this,{},{})}check(){
if(this.closed!==void 0)throw this.closed}get isClosed(){return this.closed!==void 0}get isDisposed(){return this.closed?.
code==="disposed"}call(e){this.check();let n=K(this);try{return e(this.core)}catch(r){throw this.poison(r)}finally{B(n)}}carryOut(){
if(this.closed!==void 0)return;if(this.journal?.isSync===!0){this.journal.carryOut();return}let e=K(this);try{this.core.
carryOut()}catch(n){this.poison(n)}finally{B(e)}}act(e){let n=this.call(e);return this.carryOut(),this.expectSound(),n}order(e){
if(!this.call(e))throw this.refusal();this.carryOut(),this.expectSound()}expectSound(){if(this.closed!==void 0&&!this.isDisposed)
throw this.closed}unasked(e){if(this.closed!==void 0)return;let n=K(this);try{return e(this.core)}catch(r){this.poison(r);
return}finally{B(n)}}alone(e){e.catch(n=>{n!==this.closed&&this.report(n)})}refusal(){let{code:e,message:n,told:r,details:o}=this.
call(s=>s.refusal());return this.carryOut(),We(new b(e,n,o),r)}ask(e){if(!this.call(e))throw this.refusal()}together(e){
if(this.journal?.isSync===!0)return this.journal.together(e);let n=this.call(r=>r.hold());try{return e()}finally{n&&this.
call(r=>r.goOn())}}answer(e){return this.journal===void 0?Promise.resolve(e):this.journal.answer(e)}write(e){try{return this.
scratch.write(e)}catch(n){throw this.poison(n)}}writeAll(e){try{return this.scratch.writeAll(e)}catch(n){throw this.poison(
n)}}wakeAt(e){this.isClosed||(this.alarm.set(e),this.hosts.keepAwake())}tick(){this.unasked(e=>e.tick(h())),this.carryOut(),
this.wakes.review(),this.hosts.keepAwake(),this.runs.batchOver()}makeRun(e){return this.runMaker(this,e)}consumerGate(e){
return St(this,e)}makeTool(e){return xo(this,e)}startsStopped(e){if(this.functions.onError===void 0)return;let n=`${e} a\
bandoned host functions are still running, so nothing starts until one returns; \`maxAbandoned\` raises it`;this.report(
new b("abandoned_limit",n,{limit:e,option:"maxAbandoned"}))}report(e){Ae(e);let{onError:n}=this.functions;n===void 0?mt(
e):pt(()=>n(e),mt)}tell(e){pt(e,n=>this.report(n))}dispose(){this.end(new b("disposed","the manager has been disposed"))}fail(e){
this.end(e),this.report(e)}end(e){if(this.closed===void 0){this.journal!==void 0&&this.unasked(n=>n.setAside()),this.close(
e),gt(this);try{this.idKey=this.core.idKey(),this.core.dispose()}catch{}this.letGo()}}letGo(){if(Hr()){queueMicrotask(()=>this.
letGo());return}this.scratch.letGo(),this.core=void 0}poison(e){if(this.closed===void 0){let n=new b("internal",`the man\
ager's core failed: ${x(e)}`);this.close(n),gt(this),this.core.__destroy_into_raw(),this.letGo()}return this.closed}close(e){
this.closed=e,this.journal?.close(e),this.alarm.stop(),this.keepAlive.clear(),this.runs.close(e),this.gates.close(),this.
waits.rejectAll(e),this.listeners.clear(),this.refusals.clear(),this.sessionData.clear(),this.contexts.clear(),this.hosts.
elsewhere.clear(),this.wakes.clear(),this.signals.clear()}};function Ki(t){return()=>t.deref()?.runtime?.tick()}i(Ki,"ti\
ckThrough");var Oo=["spawnSubAgent","spawnBackgroundSubAgent","checkConsumerSpawn","canSpawn","getConcurrencyInfo","getModelId","onE\
rror","countTokens","onWake"],Bi=["agents","bus","mainLimits","modelId","policies","preset","profiles","retry","tools"];
function To(t,e,n,r){let{functions:o,bounds:s,settings:a,tools:u,agents:d,profiles:c,policies:f,mainLimits:l,bus:m}=T("t\
he options of a manager",()=>Wi(e)),p=new $n(t,o,n);p.agents=d,p.profiles=c,m!==void 0&&(p.functions.onWake=Kr(m,k=>{p.isClosed||
p.report(k)}));try{r?.begin(p),s.apply(p,a),p.gates=new we(p,f,l),p.contexts.matter&&p.call(y=>y.tellForgotten());let{blockedTools:k}=p.
gates.sub;k.length>0&&p.order(y=>y.blockTools(h(),[...k])),u!==void 0&&p.order(y=>y.setTools(h(),y.defaultSession(),u))}catch(k){
throw p.dispose(),k}return p}i(To,"open");function Wi(t){let e=j("the options of a manager",t),n={},r=new fn,o={},s,a=new he(
e.agents),u=new ge(e.profiles),d={},c,f={};for(let[l,m]of Object.entries(e))if(!(m===void 0||l==="agents"||l==="profiles")){
if(Oo.includes(l)){if(typeof m!="function")throw g(`\`${l}\``,"a function",m);n[l]=l==="onWake"?X(m):m}else if(!r.take(l,
m))if(l==="retry")o.retry=an(l,m);else if(l==="bus"){if(e.onWake!==void 0)throw q("`bus` and `onWake`",l);c=Br(m)}else if(l===
"modelId"){let p=J("`modelId`",m);if(e.getModelId!==void 0)throw q("`modelId` and `getModelId`",l);n.getModelId=()=>p}else if(l===
"tools")s=Y("`tools`",m);else if(l==="policies")d=Gi(m);else if(l==="mainLimits")f=Ji("mainLimits",m);else throw xe("a m\
anager",l,[...Oo,...jr,...Bi])}return a.checkProfiles(u),{functions:n,bounds:r,settings:o,tools:s,agents:a,profiles:u,policies:d,
mainLimits:f,bus:c}}i(Wi,"read");function Gi(t){if(Array.isArray(t))throw g("`policies`","an object with subAgents or ma\
in",t);let{subAgents:e,main:n,...r}=j("`policies`",t);return G("policies",r,["subAgents","main"]),{...e!==void 0&&{subAgents:e},
...n!==void 0&&{main:n}}}i(Gi,"policySets");function Ji(t,e){let{maxTurns:n,maxContextTokens:r,timeoutMs:o,...s}=j(`\`${t}\
\``,e);G(t,s,["maxTurns","maxContextTokens","timeoutMs"]);let a={},u=C(`\`${t}.maxTurns\``,n),d=C(`\`${t}.maxContextToke\
ns\``,r),c=ze(`\`${t}.timeoutMs\``,o);return u!==void 0&&(a.maxTurns=u),d!==void 0&&(a.maxContextTokens=d),c!==void 0&&(a.
timeoutMs=c),a}i(Ji,"mainLimitsOf");function tp(t,e){return To(t,e,(n,r)=>new tn(n,r))}i(tp,"open");export{bn as Door,Vr as ENDED,pc as MOVED,mc as PENDING,Zd as abortRun,ac as askDone,Gr as attach,fc as consumerGate,K as enter,
cc as facts,Hr as isInside,B as leave,lc as makeTool,tp as open,oc as policiesDue,gt as release,dc as runEnded,Qd as runRetried,
Xd as startRun,sc as startsStopped,tc as taskClosed,nc as taskForgotten,ec as turnReady,uc as waitDone,ic as wakeAt,rc as wakeSession};
